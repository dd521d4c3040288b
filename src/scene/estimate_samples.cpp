// SPDX-License-Identifier: Apache-2.0
#include "scene/estimate_samples.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "grid/dimension.h"
#include "scene/shape_extent.h"

namespace spindrift {
namespace {

// Places asked along the longest side: 1/64 of it is the error of a surface's position, good for an estimate.  More
// than two in a cell tell nothing new, but a few are needed to see a shape at all.
constexpr int kSamples = 64, kFewestSamples = 16, kSamplesPerCell = 2;

// Cells that the box is widened by beyond sides that let liquid in or out; see liquid/world.cpp.
constexpr int kMargin = 8;

// Entries apply in order.
template <class Entry>
bool holds(const std::vector<Entry>& entries, const Vec<double, 3>& place, const SceneDescription& scene,
           bool& is_complete) {
    bool inside = false;
    for (const Entry& entry : entries) {
        const std::optional<bool> hit = contains(entry.shape, place, scene.dim, up_axis(scene));
        is_complete &= hit.has_value();
        if (hit.value_or(false)) inside = entry.op == scene::ShapeOp::add;
    }
    return inside;
}

bool is_through(scene::SideKind kind) { return kind == scene::SideKind::open || kind == scene::SideKind::inflow; }

// Where liquid comes in: the samples that hold it there, and how much it is until the end of the run.
struct Inlet {
    std::vector<std::size_t> samples{};
    double volume = 0;
};

double face_area(const Samples& samples, int axis, int dim) {
    double area = 1;
    for (int a = 0; a < dim; ++a)
        if (a != axis) area *= samples.spacing[a];
    return area;
}

double seconds_on(double start, const std::optional<double>& end, double run) {
    return std::max(0.0, std::min(run, end.value_or(run)) - start);
}

// What leaves a source through its surface, by the faces between samples of it and others.
Inlet inlet_of(const scene::Source& source, const Samples& samples, const SceneDescription& scene) {
    Inlet inlet{.samples = samples_in(source.shape, samples, scene)};
    std::vector<char> inside(samples.wet.size());
    for (const std::size_t slot : inlet.samples) inside[slot] = 1;
    const double seconds = seconds_on(source.start, source.end, end_time(scene));
    for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
        if (inside[samples.slot(i)] == 0) return;
        if (samples.wet[samples.slot(i)] == 0) inlet.volume += samples.volume();
        const Vec<double, 3> velocity = source.velocity.at(samples.place(i), source.start + 0.5 * seconds);
        for (int axis = 0; axis < scene.dim; ++axis)
            for (const int way : {-1, 1}) {
                Index<3> next = i;
                next[axis] += way;
                const bool is_out = next[axis] < 0 || next[axis] >= samples.counts[axis];
                if (is_out || inside[samples.slot(next)] != 0) continue;
                const double out = way * velocity[axis];
                if (out > 0) inlet.volume += out * face_area(samples, axis, scene.dim) * seconds;
            }
    });
    return inlet;
}

// What comes in through a side, up to its level.
Inlet inlet_of(int axis, bool upper, const Samples& samples, const SceneDescription& scene) {
    Inlet inlet;
    const scene::Side& side = scene.domain.sides.at(axis, upper);
    if (side.kind != scene::SideKind::inflow) return inlet;
    const double middle = 0.5 * end_time(scene);
    for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
        if (i[axis] != (upper ? samples.counts[axis] - 1 : 0) || samples.solid[samples.slot(i)] != 0) return;
        const Vec<double, 3> place = samples.place(i);
        if (side.level && axis != up_axis(scene) && place[up_axis(scene)] > side.level->at(middle)) return;
        const double in = side.velocity.at(place, middle)[axis] * (upper ? -1 : 1);
        if (!(in > 0)) return;
        inlet.samples.push_back(samples.slot(i));
        inlet.volume += in * face_area(samples, axis, scene.dim) * end_time(scene);
    });
    return inlet;
}

// Fills the lowest samples that can be reached from some, until the volume is used up or there is a way out.
class Flood {
  public:
    Flood(const SceneDescription& scene, const Samples& samples, std::vector<char>& wet)
        : scene_(scene), samples_(samples), wet_(wet), seen_(wet.size()) {}

    // From a sample down to what stops the liquid, which is filled first; returns how far it fell, m.
    double fall_from(std::size_t slot) {
        const int up = up_axis(scene_);
        Index<3> i = index_of(slot);
        const int top = i[up];
        for (; !is_closed(i); --i[up]) {
            wet_[samples_.slot(i)] = 1;
            if (i[up] == 0) break;
            Index<3> below = i;
            --below[up];
            if (is_closed(below) || samples_.wet[samples_.slot(below)] != 0) break;
        }
        reach(i);
        return (top - i[up]) * samples_.spacing[up];
    }

    // Returns what was filled, m³.
    double fill(double volume) {
        const double wanted = volume / samples_.volume();
        double filled = 0;
        while (filled < wanted && !queue_.empty()) {
            const auto [height, slot] = queue_.top();
            queue_.pop();
            const Index<3> i = index_of(slot);
            if (leaves_at(i)) break;
            if (wet_[slot] == 0) filled += 1;
            wet_[slot] = 1;
            for (int axis = 0; axis < scene_.dim; ++axis)
                for (const int way : {-1, 1}) {
                    Index<3> next = i;
                    next[axis] += way;
                    reach(next);
                }
        }
        return filled * samples_.volume();
    }

  private:
    Index<3> index_of(std::size_t slot) const {
        const auto n = static_cast<int>(slot);
        const Index<3> stride = samples_.stride();
        return {n / stride[0], n % stride[0] / stride[1], n % stride[1]};
    }
    bool is_closed(const Index<3>& i) const {
        for (int axis = 0; axis < scene_.dim; ++axis)
            if (i[axis] < 0 || i[axis] >= samples_.counts[axis]) return true;
        return samples_.solid[samples_.slot(i)] != 0;
    }
    // Not upwards: the lid of an open box lets nothing out.
    bool leaves_at(const Index<3>& i) const {
        for (int axis = 0; axis < scene_.dim; ++axis) {
            const auto kind = [&](bool upper) { return scene_.domain.sides.at(axis, upper).kind; };
            if (i[axis] == 0 && kind(false) == scene::SideKind::open) return true;
            if (i[axis] == samples_.counts[axis] - 1 && kind(true) == scene::SideKind::open && axis != up_axis(scene_))
                return true;
        }
        return false;
    }
    void reach(const Index<3>& i) {
        if (is_closed(i)) return;
        const std::size_t slot = samples_.slot(i);
        if (seen_[slot] != 0) return;
        seen_[slot] = 1;
        queue_.push({i[up_axis(scene_)], slot});
    }

    using Place = std::pair<int, std::size_t>;  // height and slot: the lowest first, then in order
    const SceneDescription& scene_;
    const Samples& samples_;
    std::vector<char>& wet_;
    std::vector<char> seen_;
    std::priority_queue<Place, std::vector<Place>, std::greater<>> queue_{};
};

}  // namespace

std::size_t Samples::slot(const Index<3>& i) const {
    const Index<3> s = stride();
    return static_cast<std::size_t>(i[0] * s[0] + i[1] * s[1] + i[2] * s[2]);
}

Vec<double, 3> Samples::place(const Index<3>& i) const {
    Vec<double, 3> out = origin;
    for (int axis = 0; axis < 3; ++axis) out[axis] += (i[axis] + 0.5) * spacing[axis];
    return out;
}

Index<3> Samples::at(const Vec<double, 3>& where) const {
    Index<3> i{};
    for (int axis = 0; axis < 3; ++axis) {
        const double n = std::floor((where[axis] - origin[axis]) / spacing[axis]);
        i[axis] = static_cast<int>(std::clamp(n, 0.0, counts[axis] - 1.0));
    }
    return i;
}

double Samples::share(const std::vector<char>& marked) const {
    return static_cast<double>(std::count(marked.begin(), marked.end(), 1)) / static_cast<double>(marked.size());
}

Samples sampled(const SceneDescription& scene) {
    Samples out;
    const Vec<double, 3> size = scene.domain.size;
    const Vec<int, 3> cells = cell_counts(scene);
    const int most = std::max({cells[0], cells[1], cells[2]});
    const double h =
        std::max({size[0], size[1], size[2]}) / std::clamp(kSamplesPerCell * most, kFewestSamples, kSamples);
    out.counts = map([h](double side) { return std::max(1, static_cast<int>(std::lround(side / h))); }, size);
    out.origin = scene.domain.origin;
    for (int axis = 0; axis < 3; ++axis) out.spacing[axis] = size[axis] / out.counts[axis];
    if (scene.dim == 2) out.spacing[2] = 1, out.origin[2] = -0.5;
    bool solids_complete = true;  // a solid mesh only displaces liquid
    for_each_index<3>({{}, out.counts}, [&](const Index<3>& i) {
        const Vec<double, 3> place = out.place(i);
        const bool solid = holds(scene.solid, place, scene, solids_complete);
        out.solid.push_back(solid ? 1 : 0);
        out.wet.push_back(holds(scene.liquid, place, scene, out.is_complete) && !solid ? 1 : 0);
    });
    return out;
}

std::vector<std::size_t> samples_in(const scene::Shape& shape, const Samples& samples, const SceneDescription& scene) {
    std::vector<std::size_t> slots;
    for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
        if (contains(shape, samples.place(i), scene.dim, up_axis(scene)).value_or(false))
            slots.push_back(samples.slot(i));
    });
    const auto own = extent(shape, scene.dim);
    if (!slots.empty() || !own) return slots;
    // The part of it in the box; a plane has no bounds of its own.
    Vec<double, 3> middle{};
    for (int axis = 0; axis < scene.dim; ++axis) {
        const double origin = scene.domain.origin[axis];
        const double lo = std::max(own->lo[axis], origin);
        const double hi = std::min(own->hi[axis], origin + scene.domain.size[axis]);
        if (!(lo < hi)) return {};
        middle[axis] = 0.5 * (lo + hi);
    }
    return {samples.slot(samples.at(middle))};
}

Poured poured(const SceneDescription& scene, const Samples& samples) {
    Poured out{.wet = samples.wet};
    std::vector<Inlet> inlets;
    for (const scene::Source& source : scene.source) inlets.push_back(inlet_of(source, samples, scene));
    for (int axis = 0; axis < scene.dim; ++axis)
        for (const bool upper : {false, true}) inlets.push_back(inlet_of(axis, upper, samples, scene));
    Flood flood(scene, samples, out.wet);
    double volume = 0;
    for (const Inlet& inlet : inlets) {
        for (const std::size_t slot : inlet.samples) out.height = std::max(out.height, flood.fall_from(slot));
        volume += inlet.volume;
    }
    if (std::isfinite(volume)) out.volume = flood.fill(volume);
    return out;
}

double tile_cells(const SceneDescription& scene, const Samples& samples, const std::vector<char>& marked, int band) {
    // Blocks of one tile, or of more where the box has too many of them to be counted one by one.
    const Vec<int, 3> cells = cell_counts(scene);
    const double dx = cell_size(scene);
    const int most = (std::max({cells[0], cells[1], cells[2]}) + kTileSide - 1) / kTileSide;
    const int side = kTileSide * ((most + kSamples - 1) / kSamples);
    Index<3> lo{}, hi{1, 1, 1};
    for (int axis = 0; axis < scene.dim; ++axis) {
        const auto margin = [&](bool upper) {
            return is_through(scene.domain.sides.at(axis, upper).kind) ? kMargin : 0;
        };
        lo[axis] = -((margin(false) + side - 1) / side);
        hi[axis] = (cells[axis] + margin(true) + side - 1) / side;
    }
    const Index<3> counts = hi - lo;
    std::vector<char> blocks(static_cast<std::size_t>(counts[0]) * static_cast<std::size_t>(counts[1]) *
                             static_cast<std::size_t>(counts[2]));
    const auto block_of = [&](double cell, int axis) {
        const auto block = static_cast<int>(std::floor(cell / side));
        return std::clamp(block, lo[axis], hi[axis] - 1) - lo[axis];
    };
    for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
        if (marked[samples.slot(i)] == 0) return;
        Index<3> first{}, last{1, 1, 1};
        for (int axis = 0; axis < scene.dim; ++axis) {
            const double cells_per_sample = samples.spacing[axis] / dx;
            first[axis] = block_of(i[axis] * cells_per_sample - band, axis);
            last[axis] = block_of((i[axis] + 1) * cells_per_sample + band, axis) + 1;
        }
        for_each_index<3>({first, last}, [&](const Index<3>& b) {
            blocks[static_cast<std::size_t>((b[0] * counts[1] + b[1]) * counts[2] + b[2])] = 1;
        });
    });
    return static_cast<double>(std::count(blocks.begin(), blocks.end(), 1)) * std::pow(side, scene.dim);
}

double all_tile_cells(const SceneDescription& scene) {
    const Vec<int, 3> cells = cell_counts(scene);
    double all = 1;
    for (int axis = 0; axis < scene.dim; ++axis) all *= kTileSide * ((cells[axis] + kTileSide - 1) / kTileSide);
    return all;
}

SurfaceArea surface_area(const Samples& samples, const std::vector<char>& wet, int dim) {
    SurfaceArea area;
    for (int axis = 0; axis < dim; ++axis) {
        const double face = face_area(samples, axis, dim);
        for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
            const std::size_t here = samples.slot(i);
            const bool is_first = i[axis] == 0, is_last = i[axis] + 1 == samples.counts[axis];
            if (wet[here] != 0) area.on_walls += face * ((is_first ? 1 : 0) + (is_last ? 1 : 0));
            if (is_last) return;
            const std::size_t next = here + static_cast<std::size_t>(samples.stride()[axis]);
            if (wet[here] == wet[next]) return;
            const bool in_air = samples.solid[here] == 0 && samples.solid[next] == 0;
            (in_air ? area.in_air : area.on_walls) += face;
        });
    }
    return area;
}

Fall fall_of(const Samples& samples, int up) {
    std::vector<double> wet(static_cast<std::size_t>(samples.counts[up])), room = wet;
    std::size_t slot = 0;
    for_each_index<3>({{}, samples.counts}, [&](const Index<3>& i) {
        const auto layer = static_cast<std::size_t>(i[up]);
        wet[layer] += samples.wet[slot];
        room[layer] += 1 - samples.solid[slot];
        ++slot;
    });
    double all = 0, now = 0, top = 0;
    for (std::size_t k = 0; k < wet.size(); ++k) {
        all += wet[k];
        now += wet[k] * (static_cast<double>(k) + 0.5);
        if (wet[k] > 0) top = static_cast<double>(k) + 1;
    }
    if (!(all > 0)) return {};
    double left = all, rest = 0, level = 0;
    for (std::size_t k = 0; k < wet.size() && left > 0; ++k) {
        const double filled = std::min(left, room[k]);
        rest += filled * (static_cast<double>(k) + 0.5);
        if (room[k] > 0) level = static_cast<double>(k) + filled / room[k];
        left -= filled;
    }
    const double h = samples.spacing[up];
    return {.mean = std::max(0.0, now - rest) / all * h, .from_top = std::max(0.0, top - level - 1) * h};
}

double given_speed(const SceneDescription& scene, double t) {
    const Vec<double, 3> middle = scene.domain.origin + scene.domain.size * 0.5;
    double most = 0;
    for (const scene::Liquid& entry : scene.liquid) most = std::max(most, length(entry.velocity.at(middle, 0)));
    for (const scene::Source& entry : scene.source)
        if (t >= entry.start && t <= entry.end.value_or(t)) most = std::max(most, length(entry.velocity.at(middle, t)));
    for (const scene::Control& entry : scene.control) {
        if (t < entry.start || t > entry.end.value_or(t)) continue;
        if (const auto* curve = std::get_if<scene::CurveControl>(&entry.kind))
            most = std::max(most, std::abs(curve->speed.at(t)));
        else if (const auto* volume = std::get_if<scene::VolumeControl>(&entry.kind))
            most = std::max(most, length(volume->velocity.at(middle, t)));
        else if (const auto* surface = std::get_if<scene::SurfaceControl>(&entry.kind))
            most = std::max(most, length(surface->velocity.at(middle, t)));
    }
    for (const scene::Side& side : scene.domain.sides.sides) most = std::max(most, length(side.velocity.at(middle, t)));
    return std::isfinite(most) ? most : 0;
}

}  // namespace spindrift
