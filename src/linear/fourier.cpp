// SPDX-License-Identifier: Apache-2.0
// The work array is read and written three times: slabs (all axes but the first, a slab staying in cache), columns
// along the first axis (there, divided by the eigenvalues, and back), slabs back.  A fourth reading measures the
// residual.
#include "linear/fourier.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "base/memory.h"
#include "base/simd.h"

namespace spindrift {
namespace {

// Sums over cells of b, b², x² and the residual's square.
struct Sums {
    double b = 0, bb = 0, xx = 0, rr = 0;

    Sums& operator+=(const Sums& other) {
        b += other.b;
        bb += other.bb;
        xx += other.xx;
        rr += other.rr;
        return *this;
    }
};

// The same in eight lanes, added to in an order that does not depend on how they are computed.
struct LaneSums {
    double b[kRow] = {}, bb[kRow] = {}, xx[kRow] = {}, rr[kRow] = {};

    Sums total() const {
        Sums sum;
        for (int i = 0; i < kRow; ++i) sum += Sums{b[i], bb[i], xx[i], rr[i]};
        return sum;
    }
};

// A line x with the lines on its sides, each one cell further along an axis.
struct Neighbourhood {
    const float* x;
    std::array<const float*, 6> beside;
    int count;
};

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "linear/fourier.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

constexpr std::size_t kLines = LineTransform::kLines;

// Groups of sixteen columns handed to a thread at a time: enough to share the cost of starting, few enough to spread a
// plane of 256² cells over the cores.
constexpr std::size_t kGroupsPerBlock = 4;

std::size_t padded(std::size_t n) { return (n + kLines - 1) / kLines * kLines; }

// Most runs are a whole row of a tile.
SPINDRIFT_INLINE void copy_run(float* to, const float* from, std::size_t run) {
    if (run == kRow)
        std::memcpy(to, from, kRow * sizeof(float));
    else
        std::copy_n(from, run, to);
}

// What lies beyond the end of a line.
float beyond_end(FourierSide side, float last, float other_end) {
    switch (side) {
        case FourierSide::periodic: return other_end;
        case FourierSide::closed: return last;
        case FourierSide::fixed_face: return -last;
        case FourierSide::fixed_centre: return 0;
    }
    return 0;
}

// Sixteen lines of n values, `pitch` apart, become n rows of sixteen, and back.
void rows_from_lines(LineRows rows, const float* lines, std::size_t pitch, std::size_t count, std::size_t n) {
    if (count < kLines) std::fill_n(rows.data, n * kLines, 0.0F);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t line = 0; line < count; ++line) rows.data[k * kLines + line] = lines[line * pitch + k];
}
void lines_from_rows(float* lines, LineRows rows, std::size_t pitch, std::size_t count, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t line = 0; line < count; ++line) lines[line * pitch + k] = rows.data[k * kLines + line];
}

}  // namespace

// A line runs along the last axis.  A slab is what a thread works on at a time: the lines that share their first index
// in 3D, sixteen lines in 2D.
template <int Dim>
struct FourierSolver<Dim>::Work {
    IndexBox<Dim> box;
    Sides sides;
    std::vector<LineTransform> axes;
    std::size_t cells, pitch;         // of a line, and with its padding to whole groups of columns
    std::size_t lines, slab_lines;    // in the box, in a slab
    std::size_t columns, slab_pitch;  // along the first axis, padding included; from one to the next first index
    std::size_t scratch_size;
    Buffer<float> values;

    // Slots of the tiles over the box, kept while the same tiles come again.
    TilesPtr<Dim> tiles;
    IndexBox<Dim> tile_box;
    std::vector<Slot> slots;

    Work(const IndexBox<Dim>& box_, const Sides& sides_);

    bool has_null_space(float mass) const;
    void map_tiles(const TilesPtr<Dim>& tiles_);

    // The passes of a solve.
    Sums sums_of(const Field<float, Dim>& b) const;
    void transform_slabs(const Field<float, Dim>& b, double mean);
    void divide_columns(float mass);
    void restore_slabs(Field<float, Dim>& x);
    Sums residual(const Field<float, Dim>& b, double mean, float mass) const;

    std::string first_not_finite(const Field<float, Dim>& b) const;

    Index<Dim> first_cell_of(std::size_t line) const {
        Index<Dim> cell = box.lo;
        for (int a = Dim - 2; a >= 0; --a) {
            const auto size = static_cast<std::size_t>(box.size()[a]);
            cell[a] += static_cast<int>(line % size);
            line /= size;
        }
        return cell;
    }
    std::size_t start_of(std::size_t line) const {
        if constexpr (Dim == 2) return line * pitch;
        return line / slab_lines * slab_pitch + line % slab_lines * pitch;
    }
    float* line_values(std::size_t line) { return values.data() + start_of(line); }
    const float* line_values(std::size_t line) const { return values.data() + start_of(line); }
    const float* line_beside(std::size_t line, int axis, bool above, float* scratch) const;

    void read_line(float* to, const Field<float, Dim>& from, std::size_t line) const {
        for_each_piece(line, [&](Slot slot, int offset, std::size_t k, std::size_t run) {
            copy_run(to + k, from.tile(slot) + offset, run);
        });
    }

    // Calls f(slot, offset in the tile, cell of the line, run) for each piece of a line that lies in one tile.
    template <class F>
    void for_each_piece(std::size_t line, F&& f) const {
        Index<Dim> cell = first_cell_of(line);
        const Index<Dim> tile = tile_of_cell(cell) - tile_box.lo;
        std::size_t at = 0;
        for (int a = 0; a < Dim; ++a)
            at = at * static_cast<std::size_t>(tile_box.size()[a]) + static_cast<std::size_t>(tile[a]);
        for (std::size_t k = 0; k < cells; ++at) {
            const auto left = static_cast<std::size_t>(kTileSide - (cell[Dim - 1] & (kTileSide - 1)));
            const std::size_t run = std::min(left, cells - k);
            f(slots[at], offset_in_tile(cell), k, run);
            k += run;
            cell[Dim - 1] += static_cast<int>(run);
        }
    }
};

template <int Dim>
FourierSolver<Dim>::Work::Work(const IndexBox<Dim>& box_, const Sides& sides_) : box(box_), sides(sides_) {
    CHECK(!box.empty(), "a Fourier solver was asked for a box without cells");
    std::size_t longest = 0, transform_scratch = 0;
    for (int a = 0; a < Dim; ++a) {
        const auto& [below, above] = sides[static_cast<std::size_t>(a)];
        axes.emplace_back(box.size()[a], below, above);
        longest = std::max(longest, static_cast<std::size_t>(box.size()[a]));
        transform_scratch = std::max(transform_scratch, axes.back().scratch_size());
    }
    scratch_size = longest * kLines + transform_scratch;
    cells = static_cast<std::size_t>(box.size()[Dim - 1]);
    pitch = padded(cells);
    lines = 1;
    for (int a = 0; a < Dim - 1; ++a) lines *= static_cast<std::size_t>(box.size()[a]);
    slab_lines = Dim == 3 ? static_cast<std::size_t>(box.size()[1]) : kLines;
    columns = Dim == 3 ? slab_lines * pitch : pitch;
    // A group more than needed: with powers of two, all of a column would fall into one set of the cache.
    slab_pitch = columns + kLines;
    if constexpr (Dim == 2) pitch = slab_pitch;
    values = Buffer<float>(static_cast<std::size_t>(box.size()[0]) * slab_pitch);
}

template <int Dim>
bool FourierSolver<Dim>::Work::has_null_space(float mass) const {
    for (const LineTransform& axis : axes)
        if (!axis.keeps_constants()) return false;
    return mass == 0;
}

template <int Dim>
void FourierSolver<Dim>::Work::map_tiles(const TilesPtr<Dim>& tiles_) {
    if (tiles == tiles_) return;
    tile_box = {tile_of_cell(box.lo), tile_of_cell(box.hi - Index<Dim>(1)) + Index<Dim>(1)};
    slots.clear();
    for_each_index(tile_box, [&](const Index<Dim>& tile) {
        slots.push_back(tiles_->find(tile));
        CHECK(slots.back() != kNoTile, "Fourier solve: {} do not cover the box", tiles_->describe());
    });
    tiles = tiles_;
}

template <int Dim>
Sums FourierSolver<Dim>::Work::sums_of(const Field<float, Dim>& b) const {
    return parallel_sum(lines, slab_lines, Sums{}, [&](std::size_t begin, std::size_t end) {
        LaneSums sums;
        for (std::size_t line = begin; line < end; ++line)
            for_each_piece(line, [&](Slot slot, int offset, std::size_t, std::size_t run) {
                SPINDRIFT_PICK(add_right_side)(sums, b.tile(slot) + offset, run);
            });
        return sums.total();
    });
}

template <int Dim>
std::string FourierSolver<Dim>::Work::first_not_finite(const Field<float, Dim>& b) const {
    std::string found;
    for (std::size_t line = 0; line < lines && found.empty(); ++line)
        for_each_piece(line, [&](Slot slot, int offset, std::size_t k, std::size_t run) {
            for (std::size_t i = 0; i < run && found.empty(); ++i) {
                const float value = b.tile(slot)[static_cast<std::size_t>(offset) + i];
                if (std::isfinite(value)) continue;
                Index<Dim> cell = first_cell_of(line);
                cell[Dim - 1] += static_cast<int>(k + i);
                found = fmt::format("{} at cell (", value);
                for (int a = 0; a < Dim; ++a) found += fmt::format("{}{}", cell[a], a < Dim - 1 ? ", " : ")");
            }
        });
    return found;
}

template <int Dim>
void FourierSolver<Dim>::Work::transform_slabs(const Field<float, Dim>& b, double mean) {
    parallel_ranges(lines, slab_lines, [&](std::size_t begin, std::size_t end) {
        Buffer<float> scratch(scratch_size);
        const LineRows rows{scratch.data(), kLines};
        float* rest = scratch.data() + cells * kLines;

        // Along the last axis, sixteen lines at a time, turned to rows and back.
        for (std::size_t first = begin; first < end; first += kLines) {
            const std::size_t count = std::min(kLines, end - first);
            for (std::size_t line = first; line < first + count; ++line) {
                float* to = line_values(line);
                read_line(to, b, line);
                if (mean != 0)
                    for (std::size_t k = 0; k < cells; ++k) to[k] = static_cast<float>(to[k] - mean);
                std::fill(to + cells, to + padded(cells), 0.0F);
            }
            rows_from_lines(rows, line_values(first), pitch, count, cells);
            axes[Dim - 1].forward(rows, rows, rest);
            lines_from_rows(line_values(first), rows, pitch, count, cells);
        }

        // Along the axis between, columns lie ready.
        if constexpr (Dim == 3)
            for (std::size_t column = 0; column < pitch; column += kLines) {
                const LineRows slab_rows{line_values(begin) + column, pitch};
                axes[1].forward(slab_rows, slab_rows, rest);
            }
    });
}

template <int Dim>
void FourierSolver<Dim>::Work::divide_columns(float mass) {
    const auto size = static_cast<std::size_t>(box.size()[0]);
    double gain = 1;
    for (const LineTransform& axis : axes) gain *= axis.gain();
    const auto scale = static_cast<float>(1 / gain);
    std::vector<float> last = axes[Dim - 1].eigenvalues();
    last.resize(padded(cells), 1.0F);

    parallel_ranges(columns / kLines, kGroupsPerBlock, [&](std::size_t begin, std::size_t end) {
        Buffer<float> scratch(scratch_size);
        const LineRows rows{scratch.data(), kLines};
        float* rest = scratch.data() + size * kLines;
        for (std::size_t group = begin; group < end; ++group) {
            const std::size_t column = group * kLines;
            const LineRows slab_rows{values.data() + column, slab_pitch};
            axes[0].forward(rows, slab_rows, rest);

            // Divide by the eigenvalue; only the constant of a null space has none.
            float across[kLines];
            for (std::size_t c = 0; c < kLines; ++c) {
                across[c] = last[(column + c) % padded(cells)] + mass;
                if constexpr (Dim == 3) across[c] += axes[1].eigenvalues()[column / pitch];
            }
            for (std::size_t k = 0; k < size; ++k)
                for (std::size_t c = 0; c < kLines; ++c) {
                    const float eigenvalue = across[c] + axes[0].eigenvalues()[k];
                    rows.data[k * kLines + c] *= eigenvalue > 0 ? scale / eigenvalue : 0.0F;
                }
            axes[0].backward(slab_rows, rows, rest);
        }
    });
}

template <int Dim>
void FourierSolver<Dim>::Work::restore_slabs(Field<float, Dim>& x) {
    parallel_ranges(lines, slab_lines, [&](std::size_t begin, std::size_t end) {
        Buffer<float> scratch(scratch_size);
        const LineRows rows{scratch.data(), kLines};
        float* rest = scratch.data() + cells * kLines;

        if constexpr (Dim == 3)
            for (std::size_t column = 0; column < pitch; column += kLines) {
                const LineRows slab_rows{line_values(begin) + column, pitch};
                axes[1].backward(slab_rows, slab_rows, rest);
            }

        for (std::size_t first = begin; first < end; first += kLines) {
            const std::size_t count = std::min(kLines, end - first);
            rows_from_lines(rows, line_values(first), pitch, count, cells);
            axes[Dim - 1].backward(rows, rows, rest);
            lines_from_rows(line_values(first), rows, pitch, count, cells);
            for (std::size_t line = first; line < first + count; ++line)
                for_each_piece(line, [&](Slot slot, int offset, std::size_t k, std::size_t run) {
                    copy_run(x.tile(slot) + offset, line_values(line) + k, run);
                });
        }
    });
}

// The line next to a line along one of the other axes, or what the side of the box puts there.
template <int Dim>
const float* FourierSolver<Dim>::Work::line_beside(std::size_t line, int axis, bool above, float* scratch) const {
    const Index<Dim> cell = first_cell_of(line) - box.lo;
    const int size = box.size()[axis];
    const std::size_t step = axis == 0 ? slab_pitch : pitch;
    const float* own = line_values(line);
    if (above ? cell[axis] + 1 < size : cell[axis] > 0) return above ? own + step : own - step;
    switch (sides[static_cast<std::size_t>(axis)][above ? 1 : 0]) {
        case FourierSide::periodic: {
            const std::size_t around = static_cast<std::size_t>(size - 1) * step;
            return above ? own - around : own + around;
        }
        case FourierSide::closed: return own;
        case FourierSide::fixed_face:
            for (std::size_t k = 0; k < cells; ++k) scratch[k] = -own[k];
            return scratch;
        case FourierSide::fixed_centre: std::fill_n(scratch, cells, 0.0F); return scratch;
    }
    return own;
}

// Of the solution as stored, with all differences and sums in double.
template <int Dim>
Sums FourierSolver<Dim>::Work::residual(const Field<float, Dim>& b, double mean, float mass) const {
    return parallel_sum(lines, slab_lines, Sums{}, [&](std::size_t begin, std::size_t end) {
        std::vector<float> right_side(cells), ended(cells + 2), beyond(cells * 2 * (Dim - 1));
        LaneSums sums;
        for (std::size_t line = begin; line < end; ++line) {
            read_line(right_side.data(), b, line);
            Neighbourhood around{.x = line_values(line), .beside = {}, .count = 0};
            const auto add = [&](const float* beside) {
                around.beside[static_cast<std::size_t>(around.count++)] = beside;
            };
            for (int axis = 0; axis < Dim - 1; ++axis)
                for (const bool above : {false, true})
                    add(line_beside(line, axis, above, beyond.data() + static_cast<std::size_t>(around.count) * cells));

            // Along the line itself its neighbours are its own cells, continued at the ends.
            const float first = around.x[0], last = around.x[cells - 1];
            ended.front() = beyond_end(sides[Dim - 1][0], first, last);
            std::copy_n(around.x, cells, ended.data() + 1);
            ended.back() = beyond_end(sides[Dim - 1][1], last, first);
            add(ended.data());
            add(ended.data() + 2);
            SPINDRIFT_PICK(add_residual)(sums, right_side.data(), around, mean, mass, cells);
        }
        return sums.total();
    });
}

template <int Dim>
FourierSolver<Dim>::FourierSolver(const IndexBox<Dim>& box, const Sides& sides)
    : work_(std::make_unique<Work>(box, sides)) {}
template <int Dim>
FourierSolver<Dim>::FourierSolver(FourierSolver&&) noexcept = default;
template <int Dim>
FourierSolver<Dim>& FourierSolver<Dim>::operator=(FourierSolver&&) noexcept = default;
template <int Dim>
FourierSolver<Dim>::~FourierSolver() = default;

template <int Dim>
SolveReport FourierSolver<Dim>::solve(Field<float, Dim>& x, const Field<float, Dim>& b, float mass) {
    const auto start = std::chrono::steady_clock::now();
    SolveReport report;
    CHECK(mass >= 0 && std::isfinite(mass), "Fourier solve: the mass is {}; it must be finite and not negative", mass);
    CHECK(&x != &b, "Fourier solve: the solution cannot take the place of the right side, which measures it");
    check_same_tiles("Fourier solve", "the solution", x.tiles(), "the right side", b.tiles());
    work_->map_tiles(b.tiles_ptr());

    // Floats cannot overflow a sum of squares in double: where it is not finite, the right side is not.
    const Sums given = work_->sums_of(b);
    if (!std::isfinite(given.bb)) {
        report.failure = "the right side is " + work_->first_not_finite(b);
        return report;
    }
    const bool null_space = work_->has_null_space(mass);
    const double cells = static_cast<double>(work_->lines) * static_cast<double>(work_->cells);
    const double mean = null_space ? given.b / cells : 0;
    report.regions_made_compatible = null_space ? 1 : 0;

    work_->transform_slabs(b, mean);
    work_->divide_columns(mass);
    work_->restore_slabs(x);

    // A right side that was all mean is zero but for rounding, and no measure of anything.
    constexpr double kEpsilon = std::numeric_limits<float>::epsilon();
    const Sums found = work_->residual(b, mean, mass);
    const double right_side = std::max(std::sqrt(found.bb), kEpsilon * std::sqrt(given.bb));
    report.residual = right_side > 0 ? std::sqrt(found.rr) / right_side : 0;
    report.measured_residual = report.residual;

    // Rounding x alone leaves a residual of ε ‖A‖ ‖x‖; the transforms add some, growing with the logarithm of the size.
    // Values too small for a normal float are lost as a whole.
    const double norm = static_cast<double>(mass) + 4 * Dim;
    const double underflow = std::sqrt(cells) * double{std::numeric_limits<float>::min()};
    const double rounding = kEpsilon * (norm * std::sqrt(found.xx) + right_side) + norm * underflow;
    report.converged = std::sqrt(found.rr) <= 16 * rounding;
    if (!std::isfinite(found.rr)) report.failure = "the solution is too large for a float";
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

template class FourierSolver<2>;
template class FourierSolver<3>;

}  // namespace spindrift
