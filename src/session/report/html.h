// SPDX-License-Identifier: Apache-2.0
// Small pieces of HTML.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spindrift::html {

// Text that may stand anywhere in a page, attributes included.
std::string escaped(std::string_view text);

// "data:image/png;base64,…": a file inside the page.
std::string data_uri(std::string_view media_type, std::string_view bytes);

// Two columns: what, and its value.  Both are escaped.
using Facts = std::vector<std::pair<std::string, std::string>>;
std::string table(const Facts& facts);

}  // namespace spindrift::html
