// SPDX-License-Identifier: Apache-2.0
// What readers of mesh files share: whole files, and text by lines and words with the place of each mistake.
#pragma once

#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/vec.h"

namespace spindrift {

Result<std::string> bytes_of_file(const std::filesystem::path& path);

// A whole word as a number; whatever the locale.
template <class T>
std::optional<T> number(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    T value{};
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (fault != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
}

class TextReader {
  public:
    // Both must outlive the reader.
    TextReader(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {}

    // Goes to the next line that is not empty and no comment (#); false at the end.
    bool next_line();
    // The next word of the line; empty when there is no more.
    std::string_view word();
    // Three numbers from the next words.
    bool numbers(Vec<float, 3>& to);

    // What is left after the line.
    std::string_view rest() const { return rest_; }
    Error error(std::string what, std::string remedy) const;

  private:
    std::string_view rest_, line_;
    std::string file_;
    int number_ = 0;
};

}  // namespace spindrift
