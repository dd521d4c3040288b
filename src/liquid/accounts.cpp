// SPDX-License-Identifier: Apache-2.0
#include "liquid/accounts.h"

#include <utility>

namespace spindrift {

template <int Dim>
std::vector<double> body_volumes(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain) {
    std::vector<double> volumes = body_cells(liquid.phi, domain.grid, domain.open_volume(), liquid.bodies.labels);
    for (double& volume : volumes) volume *= domain.cell_volume();
    return volumes;
}

template <int Dim>
std::vector<double> with_pending(std::vector<double> volumes, const LiquidState<Dim>& liquid) {
    const std::vector<double> pending = pending_volume(liquid.absorbed, liquid.bodies.labels);
    for (std::size_t b = 0; b < volumes.size(); ++b) volumes[b] += pending[b];
    return volumes;
}

template <int Dim>
void add_to_account(LiquidBodies<Dim>& bodies, std::size_t body, double volume) {
    (body == 0 ? bodies.lost : bodies.expected[body]) += volume;
}

template <int Dim>
void open_account(LiquidState<Dim>& liquid, double volume) {
    LiquidBodies<Dim>& bodies = liquid.bodies;
    const auto number = static_cast<float>(++bodies.labels.count);
    if (!bodies.labels.field.empty())
        for_each_tile(liquid.tiles(), [&](Slot slot) {
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                float& label = bodies.labels.field.tile(slot)[n];
                if (!(label > 0) && liquid.phi.tile(slot)[n] < 0) label = number;
            }
        });
    bodies.expected.push_back(volume);
    liquid.ledger.flowed_in += volume;
}

template <int Dim>
void match_bodies(LiquidState<Dim>& liquid, BodyChange<Dim>& change, const LiquidDomain<Dim>& domain) {
    LiquidBodies<Dim>& bodies = liquid.bodies;
    change.before = bodies.labels;
    BodyLabels<Dim> found = found_bodies(liquid.phi, domain.boundaries, domain.grid);
    change.volumes = body_cells(liquid.phi, domain.grid, domain.open_volume(), found);
    for (double& volume : change.volumes) volume *= domain.cell_volume();
    change.match = follow(bodies, std::move(found), change.volumes, change.move, liquid.phi, domain.boundaries);
}

template <int Dim>
void close_accounts(LiquidState<Dim>& liquid, const BodyChange<Dim>& change, const LiquidDomain<Dim>& domain) {
    LiquidBodies<Dim>& bodies = liquid.bodies;
    for (const double volume : change.match.vanished) bodies.lost += volume;
    const std::vector<double> missing =
        missing_from_films(bodies, with_pending(change.volumes, liquid), liquid.phi, domain.grid.dx);
    for (std::size_t j = 1; j < missing.size(); ++j) {
        bodies.lost += missing[j];
        bodies.expected[j] -= missing[j];
    }
}

#define INSTANTIATE(Dim)                                                                          \
    template std::vector<double> body_volumes(const LiquidState<Dim>&, const LiquidDomain<Dim>&); \
    template std::vector<double> with_pending(std::vector<double>, const LiquidState<Dim>&);      \
    template void add_to_account(LiquidBodies<Dim>&, std::size_t, double);                        \
    template void open_account(LiquidState<Dim>&, double);                                        \
    template void match_bodies(LiquidState<Dim>&, BodyChange<Dim>&, const LiquidDomain<Dim>&);    \
    template void close_accounts(LiquidState<Dim>&, const BodyChange<Dim>&, const LiquidDomain<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
