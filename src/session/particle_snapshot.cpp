// SPDX-License-Identifier: Apache-2.0
#include "session/particle_snapshot.h"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>

namespace spindrift {
namespace {

// Ids as the wider integers that snapshots have.
template <class Column>
void add_column(Snapshot& snapshot, const std::string& name, const Column& values) {
    using T = std::remove_cvref_t<decltype(values[0])>;
    using Stored = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;
    const std::vector<Stored> numbers(values.data(), values.data() + values.size());
    snapshot.add(name, std::span<const Stored>(numbers));
}

template <class Column>
void read_column(SnapshotReader& read, const std::string& name, Column& values) {
    using T = std::remove_cvref_t<decltype(values[0])>;
    using Stored = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;
    std::vector<Stored> list;
    read(name, list);
    values = Column(list.size());
    std::transform(list.begin(), list.end(), values.data(), [](Stored v) { return static_cast<T>(v); });
}

Error disagreement(const std::string& name) {
    return {.what = fmt::format("the lists of '{}' do not fit together", name)};
}

template <class Set>
void add_columns(Snapshot& snapshot, const std::string& name, const Set& particles) {
    snapshot.add(name + "/next_id", std::int64_t{particles.next_id});
    for (std::size_t n = 0; n < particles.attributes.size(); ++n) {
        const auto& attribute = particles.attributes[n];
        const std::string entry = fmt::format("{}/attributes/{}", name, n);
        snapshot.add(entry + "/name", attribute.name);
        snapshot.add(entry + "/components", static_cast<std::int64_t>(attribute.component.size()));
        snapshot.add(entry + "/initial", double{attribute.initial});
    }
    for_each_column(particles, [&](const std::string& column, const auto& values) {
        add_column(snapshot, name + "/" + column, values);
    });
}

template <class Set>
Result<void> read_columns(SnapshotReader& read, const std::string& name, Set& particles) {
    std::int64_t next_id = 0;
    read(name + "/next_id", next_id);
    particles.next_id = static_cast<std::uint32_t>(next_id);
    for (std::size_t n = 0; read.has(fmt::format("{}/attributes/{}/name", name, n)); ++n) {
        const std::string entry = fmt::format("{}/attributes/{}", name, n);
        std::string attribute;
        std::int64_t components = 0;
        double initial = 0;
        read(entry + "/name", attribute);
        read(entry + "/components", components);
        read(entry + "/initial", initial);
        if (components != 1 && components != Set::kDim) return disagreement(name);
        particles.add_attribute(attribute, static_cast<int>(components), static_cast<typename Set::Value>(initial));
    }
    for_each_column(particles,
                    [&](const std::string& column, auto& values) { read_column(read, name + "/" + column, values); });
    if (!read.errors().empty()) return read.errors();
    bool fits = true;
    for_each_column(particles,
                    [&](const std::string&, const auto& values) { fits &= values.size() == particles.count(); });
    if (!fits) return disagreement(name);
    return {};
}

}  // namespace

template <int Dim>
void add_particles(Snapshot& snapshot, const std::string& name, const ParticleSet<Dim>& particles) {
    const std::vector<std::int64_t> first(particles.first.begin(), particles.first.end());
    snapshot.add(name + "/first", first);
    add_columns(snapshot, name, particles);
}

template <int Dim>
Result<void> read_particles(SnapshotReader& read, const std::string& name, ParticleSet<Dim>& particles,
                            const TilesPtr<Dim>& tiles) {
    ParticleSet<Dim> found(tiles);
    std::vector<std::int64_t> first;
    read(name + "/first", first);
    if (auto columns = read_columns(read, name, found); !columns) return columns;
    if (first.size() != tiles->count() + 1 || first.front() != 0 ||
        first.back() != static_cast<std::int64_t>(found.count()) || !std::is_sorted(first.begin(), first.end()))
        return disagreement(name);
    std::copy(first.begin(), first.end(), found.first.begin());
    particles = std::move(found);
    return {};
}

template <int Dim>
void add_particles(Snapshot& snapshot, const std::string& name, const ParticleList<Dim>& particles) {
    add_columns(snapshot, name, particles);
}

template <int Dim>
Result<void> read_particles(SnapshotReader& read, const std::string& name, ParticleList<Dim>& particles) {
    ParticleList<Dim> found;
    if (auto columns = read_columns(read, name, found); !columns) return columns;
    if (!take_attributes(particles, std::move(found))) return disagreement(name);
    return {};
}

template <int Dim>
void add_absorbed(Snapshot& snapshot, const std::string& name, const std::vector<Absorbed<Dim>>& absorbed) {
    std::vector<double> numbers;
    for (const Absorbed<Dim>& one : absorbed) {
        for (int a = 0; a < Dim; ++a) numbers.push_back(one.place[a]);
        numbers.push_back(one.volume);
        numbers.push_back(one.age);
    }
    snapshot.add(name, std::span<const double>(numbers));
}

template <int Dim>
Result<void> read_absorbed(SnapshotReader& read, const std::string& name, std::vector<Absorbed<Dim>>& absorbed) {
    constexpr std::size_t kNumbers = Dim + 2;
    std::vector<double> numbers;
    read(name, numbers);
    if (!read.errors().empty()) return read.errors();
    if (numbers.size() % kNumbers != 0) return disagreement(name);
    absorbed.resize(numbers.size() / kNumbers);
    auto next = numbers.begin();
    for (Absorbed<Dim>& one : absorbed) {
        for (int a = 0; a < Dim; ++a) one.place[a] = *next++;
        one.volume = *next++;
        one.age = *next++;
    }
    return {};
}

#define INSTANTIATE(Dim)                                                                           \
    template void add_particles(Snapshot&, const std::string&, const ParticleSet<Dim>&);           \
    template void add_particles(Snapshot&, const std::string&, const ParticleList<Dim>&);          \
    template Result<void> read_particles(SnapshotReader&, const std::string&, ParticleSet<Dim>&,   \
                                         const TilesPtr<Dim>&);                                    \
    template Result<void> read_particles(SnapshotReader&, const std::string&, ParticleList<Dim>&); \
    template void add_absorbed(Snapshot&, const std::string&, const std::vector<Absorbed<Dim>>&);  \
    template Result<void> read_absorbed(SnapshotReader&, const std::string&, std::vector<Absorbed<Dim>>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
