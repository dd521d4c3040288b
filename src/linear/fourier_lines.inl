// SPDX-License-Identifier: Apache-2.0
// What stands before and after a Fourier transform of eight complex sequences that are sixteen real lines.

using detail::LineLink;
using detail::WavePair;
constexpr std::size_t kLines = LineTransform::kLines;
alignas(64) constexpr float kZeroRow[kLines] = {};

// Multiplication by i of complex numbers that lie next to each other.
SPINDRIFT_INLINE Row times_i(Row v) {
    return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6) * Row{-1, 1, -1, 1, -1, 1, -1, 1};
}

SPINDRIFT_KERNEL void copy_rows(LineRows out, LineRows in, std::span<const LineLink> links) {
    for (std::size_t p = 0; p < links.size(); ++p) {
        const float* from = in.data + links[p].row * in.stride;
        float* to = out.data + p * out.stride;
        store_row(to, load_row(from) * links[p].sign);
        store_row(to + kRow, load_row(from + kRow) * links[p].sign);
    }
}

// With z = a + i b and Z its transform: Z_k + Z_{m−k} = 2 (Re A_k, Re B_k) and −i (Z_k − Z_{m−k}) = 2 (Im A_k, Im B_k),
// each line in its own lane.  Turned by πk/2m they are the cosine transform's coefficients k and m − k.
SPINDRIFT_KERNEL void separate(LineRows out, const float* spectrum, std::span<const WavePair> pairs,
                               std::size_t length) {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const std::size_t partner = k == 0 ? 0 : length - k;
        const WavePair& pair = pairs[k];
        for (std::size_t half = 0; half < kLines; half += kRow) {
            const Row z = load_row(spectrum + k * kLines + half);
            const Row w = load_row(spectrum + partner * kLines + half);
            const Row real = z + w;
            const Row imaginary = times_i(w - z);
            if (pair.stored != WavePair::kNowhere)
                store_row(out.data + static_cast<std::size_t>(pair.stored) * out.stride + half,
                          pair.cosine * real + pair.sine * imaginary);
            if (pair.partner_stored != WavePair::kNowhere && partner != k)
                store_row(out.data + static_cast<std::size_t>(pair.partner_stored) * out.stride + half,
                          pair.sine * real - pair.cosine * imaginary);
        }
    }
}

SPINDRIFT_INLINE const float* stored_row(LineRows in, std::int32_t stored) {
    return stored == WavePair::kNowhere ? kZeroRow : in.data + static_cast<std::size_t>(stored) * in.stride;
}

SPINDRIFT_KERNEL void combine(float* spectrum, LineRows in, std::span<const WavePair> pairs, std::size_t length) {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const std::size_t partner = k == 0 ? 0 : length - k;
        const WavePair& pair = pairs[k];
        const float* own = stored_row(in, pair.stored);
        const float* other = stored_row(in, pair.partner_stored);
        for (std::size_t half = 0; half < kLines; half += kRow) {
            if (partner == k) {  // no sine goes with this wave number: 2 Re Z, turned, is all there is
                store_row(spectrum + k * kLines + half, load_row(own + half) * (0.5F / pair.cosine));
                continue;
            }
            const Row c = load_row(own + half) * 0.5F;
            const Row d = load_row(other + half) * 0.5F;
            const Row real = pair.cosine * c + pair.sine * d;
            const Row imaginary = times_i(pair.sine * c - pair.cosine * d);
            store_row(spectrum + k * kLines + half, real + imaginary);
            store_row(spectrum + partner * kLines + half, real - imaginary);
        }
    }
}
