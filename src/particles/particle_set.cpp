// SPDX-License-Identifier: Apache-2.0
#include "particles/particle_set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "grid/measure.h"

namespace spindrift {
namespace {

// Places farther away are no places: a velocity was not finite.
constexpr float kFarthest = 1e6F;
constexpr std::size_t kParticlesPerBlock = 16384;
// The largest float below a tile's side.
const float kLastPlace = std::nextafter(static_cast<float>(kTileSide), 0.0F);

// A particle that does not stay where it is in memory.
struct Leaver {
    std::uint32_t from;
    Slot to;  // kNoTile when it is removed, kLost when it is in none
};
constexpr Slot kLost = kNoTile - 1;

template <int Dim>
bool is_beside(const Index<Dim>& away) {
    bool beside = true;
    for (int a = 0; a < Dim; ++a) beside &= away[a] >= -1 && away[a] <= 1;
    return beside;
}

// Turns a place into one in the tile it lies in, and returns how many tiles away that is.
template <int Dim>
Index<Dim> enter_tile(Vec<float, Dim>& p) {
    Index<Dim> away;
    for (int a = 0; a < Dim; ++a) {
        away[a] = static_cast<int>(std::floor(p[a] / static_cast<float>(kTileSide)));
        p[a] = std::min(p[a] - static_cast<float>(away[a] * kTileSide), kLastPlace);
    }
    return away;
}

template <int Dim>
bool is_somewhere(const Vec<float, Dim>& p) {
    bool somewhere = true;
    for (int a = 0; a < Dim; ++a) somewhere &= std::abs(p[a]) < kFarthest;  // false for NaN
    return somewhere;
}

template <int Dim>
class Rebin {
  public:
    Rebin(ParticleSet<Dim>& particles, const TilesPtr<Dim>& tiles) : p_(particles), tiles_(tiles) {
        CHECK(p_.count() <= std::numeric_limits<std::uint32_t>::max(), "rebin: {} particles are too many", p_.count());
        find_leavers();
        if (leavers_.empty() && same_tiles(*p_.tiles, *tiles_)) {
            p_.tiles = tiles_;
            return;
        }
        take_lost();
        sort_arrivals();
        if (!leavers_.empty() || !in_order()) {
            list_order();
            for_each_column(p_, [&](const std::string&, auto& values) { permute(values); });
        }
        p_.first = std::move(first_);
        p_.tiles = tiles_;
    }
    std::vector<Particle<Dim>> lost() { return std::move(lost_); }

  private:
    // Those that leave their tile or are removed, in order; places of the former are already those in the new tile.
    void find_leavers() {
        const Tiles<Dim>& old = *p_.tiles;
        const bool same = same_tiles(old, *tiles_);
        stays_in_.resize(old.count());
        std::vector<std::vector<Leaver>> of_tile(old.count());
        for_each_tile(old, [&](Slot slot) {
            const Slot own = same ? slot : tiles_->find(old.coordinate(slot));
            stays_in_[static_cast<std::size_t>(slot)] = own;
            auto& leavers = of_tile[static_cast<std::size_t>(slot)];
            for_each_that_may_leave(slot, own == kNoTile, [&](std::size_t n) {
                Vec<float, Dim> at = p_.place(n);
                Leaver leaver{static_cast<std::uint32_t>(n), kNoTile};
                if (p_.radius[n] != 0 && is_somewhere(at)) {
                    const Index<Dim> away = enter_tile(at);
                    leaver.to = same && is_beside(away) ? old.neighbour(slot, neighbour_number(away))
                                                        : tiles_->find(old.coordinate(slot) + away);
                    if (leaver.to == kNoTile)
                        leaver.to = kLost;  // and keeps its place in the old tile
                    else
                        p_.set_place(n, at);
                }
                leavers.push_back(leaver);
            });
        });
        leavers_of_.reserve(old.count() + 1);
        for (const auto& some : of_tile) {
            leavers_of_.push_back(leavers_.size());
            leavers_.insert(leavers_.end(), some.begin(), some.end());
        }
        leavers_of_.push_back(leavers_.size());
    }

    // Calls f(n) for the particles of a tile that are outside it or marked for removal, or for all of them.  Sixty-four
    // are tested at a time, which the compiler does in rows.
    template <class F>
    void for_each_that_may_leave(Slot slot, bool all, F&& f) const {
        constexpr std::size_t kAtOnce = 64;
        const std::size_t end = p_.end(slot);
        for (std::size_t first = p_.begin(slot); first < end; first += kAtOnce) {
            const std::size_t count = std::min(kAtOnce, end - first);
            std::array<std::int32_t, kAtOnce> leaves;
            const float* radius = p_.radius.data() + first;
            for (std::size_t n = 0; n < count; ++n) leaves[n] = all || radius[n] == 0 ? 1 : 0;
            for (const Buffer<float>& along : p_.position) {
                const float* x = along.data() + first;
                for (std::size_t n = 0; n < count; ++n)
                    leaves[n] |= static_cast<std::int32_t>(!(x[n] >= 0)) |
                                 static_cast<std::int32_t>(!(x[n] < static_cast<float>(kTileSide)));
            }
            std::int32_t any = 0;
            for (std::size_t n = 0; n < count; ++n) any |= leaves[n];
            for (std::size_t n = 0; any != 0 && n < count; ++n)
                if (leaves[n] != 0) f(first + n);
        }
    }

    void take_lost() {
        for (std::size_t slot = 0; slot < p_.tiles->count(); ++slot)
            for (std::size_t n = leavers_of_[slot]; n < leavers_of_[slot + 1]; ++n)
                if (leavers_[n].to == kLost)
                    lost_.push_back({Vec<double, Dim>(p_.tiles->origin(static_cast<Slot>(slot))) +
                                         Vec<double, Dim>(p_.place(leavers_[n].from)),
                                     p_.radius[leavers_[n].from], p_.id[leavers_[n].from]});
    }

    // How many each new tile will hold, and who comes to it from elsewhere.
    void sort_arrivals() {
        const std::size_t count = tiles_->count();
        arrivals_of_.assign(count + 1, 0);
        for (const Leaver& l : leavers_)
            if (l.to >= 0) ++arrivals_of_[static_cast<std::size_t>(l.to) + 1];
        for (std::size_t n = 0; n < count; ++n) arrivals_of_[n + 1] += arrivals_of_[n];
        arrivals_.resize(arrivals_of_[count]);
        std::vector<std::size_t> next(arrivals_of_.begin(), arrivals_of_.end() - 1);
        for (const Leaver& l : leavers_)
            if (l.to >= 0) arrivals_[next[static_cast<std::size_t>(l.to)]++] = l.from;

        came_from_.assign(count, kNoTile);
        for (std::size_t n = 0; n < stays_in_.size(); ++n)
            if (stays_in_[n] != kNoTile) came_from_[static_cast<std::size_t>(stays_in_[n])] = static_cast<Slot>(n);
        first_.assign(count + 1, 0);
        for (std::size_t n = 0; n < count; ++n) {
            std::size_t held = arrivals_of_[n + 1] - arrivals_of_[n];
            if (const Slot from = came_from_[n]; from != kNoTile) {
                const auto old = static_cast<std::size_t>(from);
                held += p_.end(from) - p_.begin(from) - (leavers_of_[old + 1] - leavers_of_[old]);
            }
            first_[n + 1] = first_[n] + held;
        }
    }

    // Whether tiles that hold particles follow each other as before: then nothing moves in memory when nobody leaves.
    bool in_order() const {
        Slot last = -1;
        for (const Slot from : came_from_) {
            if (from == kNoTile || p_.begin(from) == p_.end(from)) continue;
            if (from < last) return false;
            last = from;
        }
        return true;
    }

    // Where each was: in each tile those that stayed, then those that came.
    void list_order() {
        order_ = Buffer<std::uint32_t>(first_.back());
        for_each_tile(*tiles_, [&](Slot slot) {
            const auto n = static_cast<std::size_t>(slot);
            std::uint32_t* out = order_.data() + first_[n];
            if (const Slot from = came_from_[n]; from != kNoTile) {
                const auto old = static_cast<std::size_t>(from);
                auto at = static_cast<std::uint32_t>(p_.begin(from));
                for (std::size_t l = leavers_of_[old]; l < leavers_of_[old + 1]; ++l, ++at)
                    while (at < leavers_[l].from) *out++ = at++;
                while (at < p_.end(from)) *out++ = at++;
            }
            for (std::size_t a = arrivals_of_[n]; a < arrivals_of_[n + 1]; ++a) *out++ = arrivals_[a];
        });
    }

    // One column in its new order.
    template <class T>
    void permute(Buffer<T>& values) {
        Buffer<T> fresh(first_.back());
        parallel_ranges(fresh.size(), kParticlesPerBlock, [&](std::size_t begin, std::size_t end) {
            const std::uint32_t* order = order_.data();
            const T* from = values.data();
            T* out = fresh.data();
            for (std::size_t n = begin; n < end; ++n) out[n] = from[order[n]];
        });
        values = std::move(fresh);
    }

    ParticleSet<Dim>& p_;
    const TilesPtr<Dim> tiles_;
    std::vector<Slot> stays_in_;            // by old slot: the tile's new slot
    std::vector<Slot> came_from_;           // by new slot: the tile's old slot
    std::vector<Leaver> leavers_;           // by old slot
    std::vector<std::size_t> leavers_of_;   // by old slot, and one more: its first leaver
    std::vector<std::uint32_t> arrivals_;   // by new slot: where they were
    std::vector<std::size_t> arrivals_of_;  // by new slot, and one more
    std::vector<std::size_t> first_;
    Buffer<std::uint32_t> order_;  // by new number: the old one
    std::vector<Particle<Dim>> lost_;
};

}  // namespace

template <int Dim>
std::vector<Particle<Dim>> rebin(ParticleSet<Dim>& particles, const TilesPtr<Dim>& tiles) {
    return Rebin<Dim>(particles, tiles).lost();
}

template <int Dim>
void add_particles(ParticleSet<Dim>& particles, const std::vector<std::vector<NewParticle<Dim>>>& added) {
    const std::size_t count = particles.tiles->count();
    CHECK(added.size() == count, "add_particles: {} lists for {} tiles", added.size(), count);
    std::vector<std::size_t> first(count + 1, 0);
    for (std::size_t n = 0; n < count; ++n)
        first[n + 1] = first[n] + particles.first[n + 1] - particles.first[n] + added[n].size();
    if (first.back() == particles.count()) return;

    const auto extend = [&](auto& values, auto&& value_of) {
        std::remove_reference_t<decltype(values)> fresh(first.back());
        for_each_tile(*particles.tiles, [&](Slot slot) {
            const auto n = static_cast<std::size_t>(slot);
            auto* out = std::copy(values.data() + particles.begin(slot), values.data() + particles.end(slot),
                                  fresh.data() + first[n]);
            for (std::size_t k = 0; k < added[n].size(); ++k) *out++ = value_of(n, k);
        });
        values = std::move(fresh);
    };
    for (auto& attribute : particles.attributes)
        for (Buffer<float>& values : attribute.component)
            extend(values, [&](std::size_t, std::size_t) { return attribute.initial; });
    for (int a = 0; a < Dim; ++a)
        extend(particles.position[static_cast<std::size_t>(a)],
               [&](std::size_t n, std::size_t k) { return added[n][k].position[a]; });
    extend(particles.radius, [&](std::size_t n, std::size_t k) { return added[n][k].radius; });
    // Ids go on where they stopped, tile by tile.
    extend(particles.id, [&](std::size_t n, std::size_t k) {
        return particles.next_id + static_cast<std::uint32_t>(first[n] - particles.first[n] + k);
    });
    particles.next_id += static_cast<std::uint32_t>(first.back() - particles.first.back());
    particles.first = std::move(first);
}

template <int Dim>
std::vector<Particle<Dim>> listed(const ParticleSet<Dim>& particles) {
    std::vector<Particle<Dim>> list(particles.count());
    for_each_bin(particles, [&](Slot slot) {
        const Vec<double, Dim> origin(particles.tiles->origin(slot));
        for (std::size_t n = particles.begin(slot); n < particles.end(slot); ++n)
            list[n] = {origin + Vec<double, Dim>(particles.place(n)), particles.radius[n], particles.id[n]};
    });
    return list;
}

template <int Dim>
std::uint64_t state_hash(const ParticleSet<Dim>& particles) {
    Hasher hasher;
    if (particles.tiles == nullptr) return hasher.digest();
    hasher.add(state_hash(*particles.tiles)).add(particles.next_id);
    for (const std::size_t first : particles.first) hasher.add(static_cast<std::uint64_t>(first));
    add_columns(hasher, particles);
    return hasher.digest();
}

#define INSTANTIATE(Dim)                                                                               \
    template std::vector<Particle<Dim>> rebin(ParticleSet<Dim>&, const TilesPtr<Dim>&);                \
    template void add_particles(ParticleSet<Dim>&, const std::vector<std::vector<NewParticle<Dim>>>&); \
    template std::vector<Particle<Dim>> listed(const ParticleSet<Dim>&);                               \
    template std::uint64_t state_hash(const ParticleSet<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
