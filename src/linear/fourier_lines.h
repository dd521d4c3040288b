// SPDX-License-Identifier: Apache-2.0
// Lines of cells as sums of the eigenvectors of the one-dimensional Laplacian 2 x_j − x_{j−1} − x_{j+1}, sixteen lines
// at once.  Each pair of sides makes a line a part of a longer sequence with a symmetry [Strang99]:
//
//   periodic                    the line itself, complex exponentials       λ = 2 − 2 cos 2πk/n
//   closed and closed           even about both walls, DCT-II               λ = 2 − 2 cos πk/n
//   face and face               odd about both walls, DST-II                λ = 2 − 2 cos π(k+1)/n
//   other pairs                 mirrored once more to one of these          λ = 2 − 2 cos of their own angles
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

struct fftwf_plan_s;

namespace spindrift {

// What holds at one end of an axis.
enum class FourierSide {
    periodic,     // the other end follows; on both ends or on none
    closed,       // no flux: the cell beyond equals the last one
    fixed_face,   // zero on the wall: the cell beyond is minus the last one
    fixed_centre  // zero at the centre of the cell beyond
};

const char* name(FourierSide side);

// Sixteen lines: a row holds one cell, or one coefficient, of each; rows lie `stride` floats apart.
struct LineRows {
    float* data;
    std::size_t stride;
};

namespace detail {

// A row of the sequence that the Fourier transform sees, and the row of the line that it stands for.
struct LineLink {
    std::uint32_t row;
    float sign;  // 0: the sequence is zero there, whatever the line holds
};

// Wave number k and its partner m − k: where their coefficients are stored, and by which angle they are turned.
struct WavePair {
    static constexpr std::int32_t kNowhere = -1;  // the symmetry makes the coefficient zero
    std::int32_t stored, partner_stored;
    float cosine, sine;
};

}  // namespace detail

class LineTransform {
  public:
    static constexpr std::size_t kLines = 16;  // a cache line of floats, and eight complex numbers

    LineTransform(int cells, FourierSide below, FourierSide above);

    static bool available();

    // One eigenvalue for each coefficient, exact for the discrete operator.
    const std::vector<float>& eigenvalues() const { return eigenvalues_; }
    // The constant is an eigenvector, the first one, with eigenvalue 0.
    bool keeps_constants() const { return eigenvalues_[0] == 0; }
    // backward(forward(x)) = gain x.
    double gain() const { return static_cast<double>(sources_.size()); }

    // `out` may be `in`; `scratch` is aligned to 64 bytes and holds scratch_size() floats.
    void forward(LineRows out, LineRows in, float* scratch) const;
    void backward(LineRows out, LineRows in, float* scratch) const;
    std::size_t scratch_size() const { return 2 * kLines * sources_.size(); }

  private:
    struct DestroyPlan {
        void operator()(fftwf_plan_s* plan) const;
    };
    using Plan = std::unique_ptr<fftwf_plan_s, DestroyPlan>;

    void make_plans();

    std::vector<detail::LineLink> sources_;  // sequence from line
    std::vector<detail::LineLink> homes_;    // line from sequence
    std::vector<detail::WavePair> pairs_;    // by wave number, up to half the sequence
    std::vector<float> eigenvalues_;
    Plan forward_plan_, backward_plan_;
};

}  // namespace spindrift
