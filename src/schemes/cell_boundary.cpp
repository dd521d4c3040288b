// SPDX-License-Identifier: Apache-2.0
#include "schemes/cell_boundary.h"

#include <cmath>

namespace spindrift {
namespace {

// Layers of air whose faces get a velocity: a marker crosses less than a cell, and looks half a cell further.
constexpr int kAirLayers = 2;

template <int Dim>
bool touches_liquid(const CellFlow<Dim>& flow, std::ptrdiff_t face, std::ptrdiff_t step) {
    return is_liquid(flow.kind[face]) || is_liquid(flow.kind[face - step]);
}

template <int Dim>
bool is_closed(const CellFlow<Dim>& flow, std::ptrdiff_t face, std::ptrdiff_t step) {
    return is_wall(flow.kind[face]) || is_wall(flow.kind[face - step]);
}

template <int Dim>
bool is_given(const CellFlow<Dim>& flow, std::ptrdiff_t face, std::ptrdiff_t step) {
    return flow.kind[face] == CellContent::inflow || flow.kind[face - step] == CellContent::inflow;
}

// The weighted mean of the values at the face's neighbours; those of weight 0 do not count, and a weight of −1 negates.
// The sum is the same for a mirrored field.  Returns how many there were.
template <int Dim, class Weight>
int mean_of_neighbours(const Dense<double, Dim>& u, const Index<Dim>& face, Weight&& weight, double& mean) {
    double sum = 0;
    int count = 0;
    for (int a = 0; a < Dim; ++a) {
        std::array<double, 2> part{};
        for (const int side : {0, 1}) {
            const Index<Dim> beside = face + unit<Dim>(a) * (2 * side - 1);
            if (!u.box().contains(beside)) continue;
            const int w = weight(beside);
            if (w == 0) continue;
            part[static_cast<std::size_t>(side)] = w * u[beside];
            ++count;
        }
        sum += part[0] + part[1];
    }
    if (count > 0) mean = sum / count;
    return count;
}

}  // namespace

template <int Dim>
void set_closed_faces(CellFlow<Dim>& flow,
                      const std::function<double(int axis, const Index<Dim>& face)>& inflow_velocity) {
    for (int a = 0; a < Dim; ++a) {
        Dense<double, Dim>& u = flow.velocity[static_cast<std::size_t>(a)];
        for_each_cell(flow.faces(a), [&](const Index<Dim>& face) {
            const std::ptrdiff_t n = u.offset(face);
            const CellContent above = flow.kind[n], below = flow.kind[n - u.stride(a)];
            if (is_wall(above) || is_wall(below))
                u[n] = 0;
            else if (above == CellContent::inflow || below == CellContent::inflow)
                u[n] = inflow_velocity(a, face);
        });
    }
}

template <int Dim>
void set_outflow_faces(CellFlow<Dim>& flow) {
    for (int a = 0; a < Dim; ++a) {
        Dense<double, Dim>& u = flow.velocity[static_cast<std::size_t>(a)];
        for_each_cell(flow.faces(a), [&](const Index<Dim>& face) {
            const std::ptrdiff_t n = u.offset(face), step = u.stride(a);
            const CellContent above = flow.kind[n], below = flow.kind[n - step];
            if (above == CellContent::outflow && below == CellContent::full &&
                flow.kind[n - 2 * step] != CellContent::outflow)
                u[n] = u[n - step];
            if (below == CellContent::outflow && above == CellContent::full &&
                flow.kind[n + step] != CellContent::outflow)
                u[n] = u[n + step];
        });
    }
}

template <int Dim>
void balance_open_sides(std::array<std::array<double, 2>, Dim>& velocity,
                        const std::array<std::array<bool, 2>, Dim>& open) {
    // What the axes without open sides leave over, and how many sides there are to take it.
    double surplus = 0;
    int takers = 0;
    for (std::size_t a = 0; a < Dim; ++a) {
        if (!open[a][0] && !open[a][1]) surplus += velocity[a][1] - velocity[a][0];
        if (open[a][0] != open[a][1]) ++takers;
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        if (open[a][0] == open[a][1]) continue;
        if (open[a][1]) velocity[a][1] = velocity[a][0] - surplus / takers;
        if (open[a][0]) velocity[a][0] = velocity[a][1] + surplus / takers;
    }
}

template <int Dim>
void set_surface_faces(CellFlow<Dim>& flow) {
    for_each_cell(flow.box, [&](const Index<Dim>& cell) {
        const std::ptrdiff_t n = flow.kind.offset(cell);
        if (flow.kind[n] != CellContent::surface) return;
        std::array<std::array<double, 2>, Dim> velocity;
        std::array<std::array<bool, 2>, Dim> open;
        for (int a = 0; a < Dim; ++a) {
            const auto axis = static_cast<std::size_t>(a);
            const std::ptrdiff_t step = flow.kind.stride(a);
            velocity[axis] = {flow.velocity[axis][n], flow.velocity[axis][n + step]};
            open[axis] = {is_open(flow.kind[n - step]), is_open(flow.kind[n + step])};
        }
        balance_open_sides<Dim>(velocity, open);
        for (int a = 0; a < Dim; ++a) {
            const auto axis = static_cast<std::size_t>(a);
            if (open[axis][0]) flow.velocity[axis][n] = velocity[axis][0];
            if (open[axis][1]) flow.velocity[axis][n + flow.kind.stride(a)] = velocity[axis][1];
        }
    });
}

template <int Dim>
void set_air_pressure(CellFlow<Dim>& flow) {
    for_each_cell(flow.box, [&](const Index<Dim>& cell) {
        if (flow.kind[cell] != CellContent::full) flow.pressure[cell] = 0;
    });
}

template <int Dim>
void set_faces_beyond(CellFlow<Dim>& flow) {
    enum : std::uint8_t { unknown, in_air, closed, known };
    for (int a = 0; a < Dim; ++a) {
        Dense<double, Dim>& u = flow.velocity[static_cast<std::size_t>(a)];
        const std::ptrdiff_t step = u.stride(a);
        Dense<std::uint8_t, Dim> state(u.box(), unknown);
        for_each_cell(flow.faces(a), [&](const Index<Dim>& face) {
            const std::ptrdiff_t n = u.offset(face);
            if (is_closed(flow, n, step))
                state[n] = closed;
            else if (touches_liquid(flow, n, step) || is_given(flow, n, step))
                state[n] = known;
            else
                state[n] = in_air, u[n] = 0;
        });

        // Layer by layer into the air.
        Dense<std::uint8_t, Dim> next = state;
        for (int layer = 0; layer < kAirLayers; ++layer) {
            Dense<double, Dim> values = u;
            for_each_cell(flow.faces(a), [&](const Index<Dim>& face) {
                const std::ptrdiff_t n = u.offset(face);
                if (state[n] != in_air) return;
                const auto weight = [&](const Index<Dim>& beside) { return state[beside] == known ? 1 : 0; };
                if (mean_of_neighbours(u, face, weight, values[n]) > 0) next[n] = known;
            });
            std::swap(u, values);
            state = next;
        }

        // Into solids and the layer around the box: tangential velocities, mirrored.
        IndexBox<Dim> all = u.box();
        ++all.lo[a];  // each face has a cell on both sides
        Dense<double, Dim> values = u;
        for_each_cell(all, [&](const Index<Dim>& face) {
            const std::ptrdiff_t n = u.offset(face);
            const CellContent above = flow.kind[n], below = flow.kind[n - step];
            const bool is_within = is_wall(above) && is_wall(below);
            if (!is_within && state[n] != unknown) return;
            const int sign = is_within && (above == CellContent::no_slip || below == CellContent::no_slip) ? -1 : 1;
            const auto weight = [&](const Index<Dim>& beside) { return state[beside] == known ? sign : 0; };
            if (mean_of_neighbours(u, face, weight, values[n]) == 0) values[n] = 0;
        });
        std::swap(u, values);
    }
}

template <int Dim>
double fastest_face(const CellFlow<Dim>& flow) {
    double most = 0;
    for (int a = 0; a < Dim; ++a) {
        const Dense<double, Dim>& u = flow.velocity[static_cast<std::size_t>(a)];
        const double here = largest_over_cells(flow.faces(a), [&](const Index<Dim>& face) {
            const std::ptrdiff_t n = u.offset(face);
            return touches_liquid(flow, n, u.stride(a)) ? std::abs(u[n]) : 0.0;
        });
        if (!(here <= most)) most = here;
    }
    return most;
}

#define INSTANTIATE(Dim)                                                                                  \
    template void set_closed_faces(CellFlow<Dim>&, const std::function<double(int, const Index<Dim>&)>&); \
    template void set_outflow_faces(CellFlow<Dim>&);                                                      \
    template void set_surface_faces(CellFlow<Dim>&);                                                      \
    template void balance_open_sides<Dim>(std::array<std::array<double, 2>, Dim>&,                        \
                                          const std::array<std::array<bool, 2>, Dim>&);                   \
    template void set_air_pressure(CellFlow<Dim>&);                                                       \
    template void set_faces_beyond(CellFlow<Dim>&);                                                       \
    template double fastest_face(const CellFlow<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
