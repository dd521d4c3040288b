// SPDX-License-Identifier: Apache-2.0
#include "session/particle_snapshot.h"

#include <algorithm>

#include <fmt/format.h>

namespace spindrift {
namespace {

constexpr const char* kAxes[] = {"x", "y", "z"};

std::span<const float> view(const Buffer<float>& buffer) { return {buffer.data(), buffer.size()}; }

Error disagreement(const std::string& name) {
    return {.what = fmt::format("the lists of '{}' do not fit together", name)};
}

}  // namespace

template <int Dim>
void add_particles(Snapshot& snapshot, const std::string& name, const ParticleSet<Dim>& particles) {
    const std::vector<std::int64_t> first(particles.first.begin(), particles.first.end());
    std::vector<std::int64_t> ids(particles.count());
    std::copy_n(particles.id.data(), ids.size(), ids.begin());
    snapshot.add(name + "/first", first);
    snapshot.add(name + "/id", ids);
    snapshot.add(name + "/next_id", std::int64_t{particles.next_id});
    snapshot.add(name + "/radius", view(particles.radius));
    for (int a = 0; a < Dim; ++a)
        snapshot.add(fmt::format("{}/{}", name, kAxes[a]), view(particles.position[static_cast<std::size_t>(a)]));
}

template <int Dim>
Result<void> read_particles(SnapshotReader& read, const std::string& name, ParticleSet<Dim>& particles,
                            const TilesPtr<Dim>& tiles) {
    std::vector<std::int64_t> first, ids;
    std::int64_t next_id = 0;
    std::vector<float> radius, place[Dim];
    read(name + "/first", first);
    read(name + "/id", ids);
    read(name + "/next_id", next_id);
    read(name + "/radius", radius);
    for (int a = 0; a < Dim; ++a) read(fmt::format("{}/{}", name, kAxes[a]), place[a]);
    if (!read.errors().empty()) return read.errors();

    const std::size_t count = radius.size();
    bool fits = first.size() == tiles->count() + 1 && ids.size() == count && first.front() == 0 &&
                first.back() == static_cast<std::int64_t>(count) && std::is_sorted(first.begin(), first.end());
    for (const std::vector<float>& list : place) fits &= list.size() == count;
    if (!fits) return disagreement(name);
    const auto copied = [](const std::vector<float>& list) {
        Buffer<float> buffer(list.size());
        std::copy(list.begin(), list.end(), buffer.data());
        return buffer;
    };
    particles = ParticleSet<Dim>(tiles);
    std::copy(first.begin(), first.end(), particles.first.begin());
    for (int a = 0; a < Dim; ++a) particles.position[static_cast<std::size_t>(a)] = copied(place[a]);
    particles.radius = copied(radius);
    particles.id = Buffer<std::uint32_t>(count);
    for (std::size_t n = 0; n < count; ++n) particles.id[n] = static_cast<std::uint32_t>(ids[n]);
    particles.next_id = static_cast<std::uint32_t>(next_id);
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
