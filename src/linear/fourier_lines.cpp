// SPDX-License-Identifier: Apache-2.0
// Two real lines make one complex sequence, so that all work is complex transforms of eight sequences side by side,
// which FFTW [FrigoJohnson05] does with vector instructions; its transforms of real lines are scalar and took 4 to 8
// times as long.
#include "linear/fourier_lines.h"

#include <cmath>
#include <mutex>
#include <numbers>
#include <span>

#include "base/check.h"
#include "base/memory.h"

#if SPINDRIFT_HAVE_FFTW
#include <fftw3.h>
#define SPINDRIFT_KERNEL_FILE "linear/fourier_lines.inl"
#include "base/each_instruction_set.h"
#endif

namespace spindrift {
namespace {

// How a line between two walls becomes a sequence whose symmetries a cosine transform or a periodic one knows.
struct Extension {
    bool reversed = false;   // the line's last cell comes first
    bool periodic = false;   // else even about both ends
    bool alternate = false;  // every second sign changed, which turns even ends into odd ones
    std::size_t before = 0;  // zeros before the line
    std::size_t middle = 0;  // zeros between the line and its negative mirror image
    bool mirrored = false;   // whether that image follows

    std::size_t length(std::size_t cells) const { return before + cells + (mirrored ? middle + cells : 0); }
};

Extension extension_of(FourierSide below, FourierSide above) {
    using enum FourierSide;
    if (below == periodic) return {.periodic = true};
    if (below == fixed_centre && above == fixed_centre)
        return {.periodic = true, .before = 1, .middle = 1, .mirrored = true};
    if (below == above) return {.alternate = below == fixed_face};
    // Mirror about the wall where the value is fixed; of two such, about the centre.  The other wall comes first.
    const bool reversed = below == fixed_centre || (below == fixed_face && above == closed);
    const FourierSide first = reversed ? above : below;
    const FourierSide far = reversed ? below : above;
    return {.reversed = reversed,
            .alternate = first == fixed_face,
            .middle = far == fixed_centre ? std::size_t{1} : std::size_t{0},
            .mirrored = true};
}

// Where the entry e of a sequence stands so that an even sequence becomes a periodic one of the same length: even
// entries upwards, then odd ones downwards [Makhoul80].
std::size_t place(const Extension& extension, std::size_t length, std::size_t e) {
    if (extension.periodic) return e;
    return e % 2 == 0 ? e / 2 : length - 1 - e / 2;
}

}  // namespace

const char* name(FourierSide side) {
    switch (side) {
        case FourierSide::periodic: return "periodic";
        case FourierSide::closed: return "closed";
        case FourierSide::fixed_face: return "fixed_face";
        case FourierSide::fixed_centre: return "fixed_centre";
    }
    return "unknown";
}

LineTransform::LineTransform(int cells, FourierSide below, FourierSide above) {
    CHECK(available(), "a Fourier solver was asked for, but this build lacks FFTW (SPINDRIFT_FFTW=OFF); use multigrid");
    CHECK(cells > 0, "a Fourier solver was asked for {} cells along an axis; there must be at least one", cells);
    CHECK((below == FourierSide::periodic) == (above == FourierSide::periodic),
          "an axis is {} below and {} above: it must be periodic on both sides or on neither", name(below),
          name(above));

    const Extension extension = extension_of(below, above);
    const auto n = static_cast<std::size_t>(cells);
    const std::size_t m = extension.length(n);

    // Place the line, and its mirror image where the walls ask for one, in the sequence.
    sources_.assign(m, detail::LineLink{0, 0});
    homes_.resize(n);
    const auto sign_at = [&](std::size_t e) { return extension.alternate && e % 2 == 1 ? -1.0F : 1.0F; };
    for (std::size_t j = 0; j < n; ++j) {
        const std::size_t cell = extension.reversed ? n - 1 - j : j;
        const std::size_t e = extension.before + j;
        const std::size_t p = place(extension, m, e);
        sources_[p] = {static_cast<std::uint32_t>(cell), sign_at(e)};
        homes_[cell] = {static_cast<std::uint32_t>(p), sign_at(e)};
        if (extension.mirrored) {
            const std::size_t image = extension.before + 2 * n + extension.middle - 1 - j;
            sources_[place(extension, m, image)] = {static_cast<std::uint32_t>(cell), -sign_at(image)};
        }
    }

    // Number the coefficients that the symmetry lets be other than zero, and give each its eigenvalue 4 sin² angle/2.
    // Of an odd periodic sequence these are the sines, kept above the middle; of a mirrored cosine the odd wave
    // numbers.
    std::vector<std::int32_t> stored(m, detail::WavePair::kNowhere);
    const double angle = (extension.periodic ? 2 : 1) * std::numbers::pi / static_cast<double>(m);
    for (std::size_t k = 0; k < m; ++k) {
        if (extension.mirrored && (extension.periodic ? 2 * k <= m : k % 2 == 0)) continue;
        stored[k] = static_cast<std::int32_t>(eigenvalues_.size());
        const double sine = std::sin(0.5 * angle * static_cast<double>(extension.alternate ? m - k : k));
        eigenvalues_.push_back(static_cast<float>(4 * sine * sine));
    }
    CHECK(eigenvalues_.size() == n, "{} cells gave {} coefficients", n, eigenvalues_.size());
    for (std::size_t k = 0; k <= m / 2; ++k) {
        const double turn = extension.periodic ? 0 : 0.5 * angle * static_cast<double>(k);
        pairs_.push_back(
            {stored[k], stored[(m - k) % m], static_cast<float>(std::cos(turn)), static_cast<float>(std::sin(turn))});
    }
    make_plans();
}

#if SPINDRIFT_HAVE_FFTW

namespace {

// FFTW executes plans from any thread but makes and destroys them from one at a time.
std::mutex& planner_mutex() {
    static std::mutex mutex;
    return mutex;
}

}  // namespace

bool LineTransform::available() { return true; }

void LineTransform::make_plans() {
    // Estimated, not timed: a plan chosen by timing would change the bits from run to run.
    Buffer<float> scratch(scratch_size());
    auto* from = reinterpret_cast<fftwf_complex*>(scratch.data());
    const int length = static_cast<int>(sources_.size());
    constexpr int kPairs = kLines / 2;
    fftwf_complex* to = from + kPairs * length;
    const std::lock_guard lock(planner_mutex());
    const auto plan = [&](int sign) {
        return Plan(fftwf_plan_many_dft(1, &length, kPairs, from, nullptr, kPairs, 1, to, nullptr, kPairs, 1, sign,
                                        FFTW_ESTIMATE));
    };
    forward_plan_ = plan(FFTW_FORWARD);
    backward_plan_ = plan(FFTW_BACKWARD);
    CHECK(forward_plan_ && backward_plan_, "FFTW has no plan for sequences of {}", length);
}

void LineTransform::DestroyPlan::operator()(fftwf_plan_s* plan) const {
    const std::lock_guard lock(planner_mutex());
    fftwf_destroy_plan(plan);
}

void LineTransform::forward(LineRows out, LineRows in, float* scratch) const {
    const std::size_t length = sources_.size();
    float* spectrum = scratch + kLines * length;
    SPINDRIFT_PICK(copy_rows)({scratch, kLines}, in, sources_);
    fftwf_execute_dft(forward_plan_.get(), reinterpret_cast<fftwf_complex*>(scratch),
                      reinterpret_cast<fftwf_complex*>(spectrum));
    SPINDRIFT_PICK(separate)(out, spectrum, pairs_, length);
}

void LineTransform::backward(LineRows out, LineRows in, float* scratch) const {
    const std::size_t length = sources_.size();
    float* sequence = scratch + kLines * length;
    SPINDRIFT_PICK(combine)(scratch, in, pairs_, length);
    fftwf_execute_dft(backward_plan_.get(), reinterpret_cast<fftwf_complex*>(scratch),
                      reinterpret_cast<fftwf_complex*>(sequence));
    SPINDRIFT_PICK(copy_rows)(out, {sequence, kLines}, homes_);
}

#else

bool LineTransform::available() { return false; }
void LineTransform::make_plans() {}
void LineTransform::DestroyPlan::operator()(fftwf_plan_s*) const {}
void LineTransform::forward(LineRows, LineRows, float*) const {}
void LineTransform::backward(LineRows, LineRows, float*) const {}

#endif

}  // namespace spindrift
