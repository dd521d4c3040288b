// SPDX-License-Identifier: Apache-2.0
#include "session/particle_snapshot.h"

#include <algorithm>

#include <fmt/format.h>

namespace spindrift {
namespace {

void add_column(Snapshot& snapshot, const std::string& name, const Buffer<float>& values) {
    snapshot.add(name, std::span<const float>(values.data(), values.size()));
}
void add_column(Snapshot& snapshot, const std::string& name, const Buffer<std::uint32_t>& values) {
    const std::vector<std::int64_t> numbers(values.data(), values.data() + values.size());
    snapshot.add(name, std::span<const std::int64_t>(numbers));
}

template <class Stored, class T>
void read_column(SnapshotReader& read, const std::string& name, Buffer<T>& values) {
    std::vector<Stored> list;
    read(name, list);
    values = Buffer<T>(list.size());
    std::transform(list.begin(), list.end(), values.data(), [](Stored v) { return static_cast<T>(v); });
}
void read_column(SnapshotReader& read, const std::string& name, Buffer<float>& values) {
    read_column<float>(read, name, values);
}
void read_column(SnapshotReader& read, const std::string& name, Buffer<std::uint32_t>& values) {
    read_column<std::int64_t>(read, name, values);
}

Error disagreement(const std::string& name) {
    return {.what = fmt::format("the lists of '{}' do not fit together", name)};
}

}  // namespace

template <int Dim>
void add_particles(Snapshot& snapshot, const std::string& name, const ParticleSet<Dim>& particles) {
    const std::vector<std::int64_t> first(particles.first.begin(), particles.first.end());
    snapshot.add(name + "/first", first);
    snapshot.add(name + "/next_id", std::int64_t{particles.next_id});
    for (std::size_t n = 0; n < particles.attributes.size(); ++n) {
        const ParticleAttribute& attribute = particles.attributes[n];
        const std::string entry = fmt::format("{}/attributes/{}", name, n);
        snapshot.add(entry + "/name", attribute.name);
        snapshot.add(entry + "/components", static_cast<std::int64_t>(attribute.component.size()));
        snapshot.add(entry + "/initial", double{attribute.initial});
    }
    for_each_column(particles, [&](const std::string& column, const auto& values) {
        add_column(snapshot, name + "/" + column, values);
    });
}

template <int Dim>
Result<void> read_particles(SnapshotReader& read, const std::string& name, ParticleSet<Dim>& particles,
                            const TilesPtr<Dim>& tiles) {
    ParticleSet<Dim> found(tiles);
    std::vector<std::int64_t> first;
    std::int64_t next_id = 0;
    read(name + "/first", first);
    read(name + "/next_id", next_id);
    for (std::size_t n = 0; read.has(fmt::format("{}/attributes/{}/name", name, n)); ++n) {
        const std::string entry = fmt::format("{}/attributes/{}", name, n);
        std::string attribute;
        std::int64_t components = 0;
        double initial = 0;
        read(entry + "/name", attribute);
        read(entry + "/components", components);
        read(entry + "/initial", initial);
        if (components != 1 && components != Dim) return disagreement(name);
        found.add_attribute(attribute, static_cast<int>(components), static_cast<float>(initial));
    }
    for_each_column(found,
                    [&](const std::string& column, auto& values) { read_column(read, name + "/" + column, values); });
    if (!read.errors().empty()) return read.errors();

    const std::size_t count = found.count();
    bool fits = first.size() == tiles->count() + 1 && first.front() == 0 &&
                first.back() == static_cast<std::int64_t>(count) && std::is_sorted(first.begin(), first.end());
    for_each_column(found, [&](const std::string&, const auto& values) { fits &= values.size() == count; });
    if (!fits) return disagreement(name);
    std::copy(first.begin(), first.end(), found.first.begin());
    found.next_id = static_cast<std::uint32_t>(next_id);
    particles = std::move(found);
    return {};
}

template <int Dim>
void add_spray(Snapshot& snapshot, const std::string& name, const std::vector<SprayDrop<Dim>>& drops) {
    std::vector<double> numbers;
    std::vector<std::int64_t> ids;
    for (const SprayDrop<Dim>& drop : drops) {
        for (int a = 0; a < Dim; ++a) numbers.push_back(drop.position[a]);
        for (int a = 0; a < Dim; ++a) numbers.push_back(drop.velocity[a]);
        numbers.push_back(drop.volume);
        numbers.push_back(drop.radius);
        ids.push_back(drop.id);
    }
    snapshot.add(name + "/numbers", std::span<const double>(numbers));
    snapshot.add(name + "/id", std::span<const std::int64_t>(ids));
}

template <int Dim>
Result<void> read_spray(SnapshotReader& read, const std::string& name, std::vector<SprayDrop<Dim>>& drops) {
    constexpr std::size_t kNumbers = 2 * Dim + 2;
    std::vector<double> numbers;
    std::vector<std::int64_t> ids;
    read(name + "/numbers", numbers);
    read(name + "/id", ids);
    if (!read.errors().empty()) return read.errors();
    if (numbers.size() != kNumbers * ids.size()) return disagreement(name);
    drops.resize(ids.size());
    auto next = numbers.begin();
    for (std::size_t n = 0; n < drops.size(); ++n) {
        for (int a = 0; a < Dim; ++a) drops[n].position[a] = *next++;
        for (int a = 0; a < Dim; ++a) drops[n].velocity[a] = *next++;
        drops[n].volume = *next++;
        drops[n].radius = *next++;
        drops[n].id = static_cast<std::uint32_t>(ids[n]);
    }
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

#define INSTANTIATE(Dim)                                                                                 \
    template void add_particles(Snapshot&, const std::string&, const ParticleSet<Dim>&);                 \
    template Result<void> read_particles(SnapshotReader&, const std::string&, ParticleSet<Dim>&,         \
                                         const TilesPtr<Dim>&);                                          \
    template void add_spray(Snapshot&, const std::string&, const std::vector<SprayDrop<Dim>>&);          \
    template Result<void> read_spray(SnapshotReader&, const std::string&, std::vector<SprayDrop<Dim>>&); \
    template void add_absorbed(Snapshot&, const std::string&, const std::vector<Absorbed<Dim>>&);        \
    template Result<void> read_absorbed(SnapshotReader&, const std::string&, std::vector<Absorbed<Dim>>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
