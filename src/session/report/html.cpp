// SPDX-License-Identifier: Apache-2.0
#include "session/report/html.h"

#include <fmt/format.h>

namespace spindrift::html {
namespace {

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        // Three bytes are four digits of six bits; at the end, digits without a bit of the file are '='.
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (k < count ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
        for (std::size_t digit = 0; digit < 4; ++digit)
            out += digit <= count ? kDigits[bits >> (18 - 6 * digit) & 63] : '=';
    }
    return out;
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out += c;
        }
    return out;
}

std::string data_uri(std::string_view media_type, std::string_view bytes) {
    return fmt::format("data:{};base64,{}", media_type, base64(bytes));
}

std::string table(const Facts& facts) {
    std::string out = "<table>\n";
    for (const auto& [what, value] : facts)
        out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(what), escaped(value));
    return out + "</table>\n";
}

}  // namespace spindrift::html
