// SPDX-License-Identifier: Apache-2.0
#include "session/report/thumbnail.h"

#include <algorithm>

namespace spindrift {

Pixels8 thumbnail(const Pixels8& in, int width) {
    const int n = std::max(1, std::min(in.width / width, in.height));
    Pixels8 out{in.width / n, in.height / n, {}};
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x)
            for (int channel = 0; channel < 3; ++channel) {
                int sum = n * n / 2;
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < n; ++i)
                        sum += in.rgb[static_cast<std::size_t>(((y * n + j) * in.width + x * n + i) * 3 + channel)];
                out.rgb.push_back(static_cast<std::uint8_t>(sum / (n * n)));
            }
    return out;
}

}  // namespace spindrift
