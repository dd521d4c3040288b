// SPDX-License-Identifier: Apache-2.0
// Viscosity by the full stress, with no traction on a free surface, implicit and so stable for any value
// [BattyBridson08]: the new velocity minimises, over the liquid,
//
//   ∫ ½ |u − u_old|² + ν dt ε:ε,   ε = (∇u + ∇uᵀ) / 2,
//
// where liquids mix with their density before the first part and their viscosity before the second.
//
// On the staggered grid ε_aa lies at cells, ε_ab at edges, and each integral is a sum over control volumes, weighted by
// the part of each that is liquid.  Whatever turns or flies freely is left alone, and no condition need be set at the
// surface: where nothing is, nothing pulls.  Walls hold the tangential velocity where they do not let it slip.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "linear/poisson_solver.h"
#include "schemes/boundary.h"

namespace spindrift {

// The pairs of axes in which liquid shears.
template <int Dim>
constexpr std::size_t kShearPlanes = Dim == 2 ? 1 : 3;
constexpr std::size_t shear_plane(int a, int b) { return static_cast<std::size_t>(a + b - 1); }

// Where liquids mix, each cell's dynamic viscosity and density as multiples of those of ν; none where they are the same
// everywhere.
template <int Dim>
struct LiquidProperties {
    const Field<float, Dim>* viscosity = nullptr;
    const Field<float, Dim>* density = nullptr;
};

// The system  A c = b  for the change c that a step makes to the velocity of the liquid's faces,
//
//   A = V / n − dx² ∇·2ε,  b = dx² ∇·2ε(u),   n = ν dt / dx²,
//
// with what walls add to both.
template <int Dim>
class ViscousOperator {
  public:
    // Closed faces have the velocity of what closes them.
    ViscousOperator(const FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& boundaries,
                    double number, const LiquidProperties<Dim>& relative = {});

    const TilesPtr<Dim>& tiles() const { return tiles_; }
    const FaceField<Dim>& right_side() const { return right_; }
    // q = A p on unknowns, 0 elsewhere; returns p·q.  p is zero where there is no unknown.
    double apply(FaceField<Dim>& q, const FaceField<Dim>& p) { return multiply(q, p, 1); }

    // The Laplacian of one component with the same weights, for preconditioning: where a velocity is divergence-free, A
    // is that of each component.
    PoissonOperator<Dim> component(int axis) const;

    bool is_unknown(int axis, Slot slot, int cell) const { return inverse_[axis].tile(slot)[cell] > 0; }
    const FaceField<Dim>& inverse_diagonal() const { return inverse_; }  // 0 where there is no unknown

  private:
    void fill_weights(const Field<float, Dim>& phi, const Boundary<Dim>& b, const FaceField<Dim>& given,
                      const LiquidProperties<Dim>& relative);
    FaceField<Dim> shared_liquid(const Field<float, Dim>& phi, const Boundary<Dim>& b,
                                 const FaceField<Dim>& given) const;
    void fill_faces(const FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& b,
                    const FaceField<Dim>& given, const LiquidProperties<Dim>& relative);
    double multiply(FaceField<Dim>& q, const FaceField<Dim>& p, float mass_factor);

    TilesPtr<Dim> tiles_;
    float inverse_number_;
    std::vector<std::uint8_t> active_;                        // by tile: whether it has stress; see kDryTile
    Field<float, Dim> cell_;                                  // 2 V at centres, times the relative viscosity
    std::array<Field<float, Dim>, kShearPlanes<Dim>> edge_;   // V at edges, at the lower end of cells; likewise
    std::array<Field<float, Dim>, kShearPlanes<Dim>> shear_;  // of the last product: scratch
    FaceField<Dim> mass_;                                     // V / n and the ties to walls, of unknowns
    FaceField<Dim> inverse_;                                  // of the diagonal
    FaceField<Dim> right_;
};

struct ViscousStressSettings {
    double tolerance = 1e-5;  // of the change that the step makes
    int max_iterations = 1000;
};

template <int Dim>
SolveReport add_viscous_stress(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& boundaries,
                               double kinematic, double dt, const ViscousStressSettings& settings = {},
                               const LiquidProperties<Dim>& relative = {});

extern template class ViscousOperator<2>;
extern template class ViscousOperator<3>;

}  // namespace spindrift
