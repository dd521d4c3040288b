// SPDX-License-Identifier: Apache-2.0
#include "base/suggest.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace spindrift {
namespace {

// Nobody mistypes a word this long into one of ours; the table of distances stays small.
constexpr std::size_t kLongest = 64;

// Letters to insert, remove, replace or swap with their neighbour to turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

// What newcomers write, often from other programs, and what it is called here, the likeliest first.
struct Synonym {
    std::string_view word, ours;
};
constexpr std::array kSynonyms{
    Synonym{"cube", "box"},
    Synonym{"cuboid", "box"},
    Synonym{"rectangle", "box"},
    Synonym{"ball", "sphere"},
    Synonym{"circle", "sphere"},
    Synonym{"disc", "sphere"},
    Synonym{"disk", "sphere"},
    Synonym{"tube", "cylinder"},
    Synonym{"ring", "torus"},
    Synonym{"terrain", "heightmap"},
    Synonym{"heightfield", "heightmap"},
    Synonym{"displacement", "heightmap"},
    Synonym{"closed", "slip"},
    Synonym{"wall", "slip"},
    Synonym{"free-slip", "slip"},
    Synonym{"outflow", "open"},
    Synonym{"floor", "bottom"},
    Synonym{"ceiling", "top"},
    Synonym{"speed", "velocity"},
    Synonym{"velocity", "offset"},
    Synonym{"position", "center"},
    Synonym{"centre", "center"},
    Synonym{"color", "water_color"},
    Synonym{"colour", "water_color"},
    Synonym{"target", "look_at"},
    Synonym{"fov", "fov_degrees"},
    Synonym{"duration", "end"},
    Synonym{"framerate", "fps"},
    Synonym{"dt", "cfl"},
    Synonym{"substeps", "min_substeps"},
    Synonym{"seconds", "end"},
    Synonym{"obstacle", "solid"},
    Synonym{"collider", "solid"},
    Synonym{"object", "solid"},
    Synonym{"emitter", "source"},
    Synonym{"inlet", "source"},
    Synonym{"size", "max"},
    Synonym{"diameter", "radius"},
    Synonym{"rotation", "rotate_degrees"},
    Synonym{"rotate", "rotate_degrees"},
    Synonym{"angle", "rotate_degrees"},
    Synonym{"path", "file"},
    Synonym{"filename", "file"},
    Synonym{"remove", "subtract"},
    Synonym{"smoke", "gas"},
    Synonym{"fire", "gas"},
    Synonym{"air", "gas"},
    Synonym{"liquid", "particle-level-set-2002"},
    Synonym{"water", "particle-level-set-2002"},
    Synonym{"flip", "particle-level-set-2002"},
    Synonym{"cosine", "cos"},
    Synonym{"sine", "sin"},
    Synonym{"ln", "log"},

    Synonym{"simulate", "run"},
};

std::string synonym_of(std::string_view word, const std::vector<std::string>& known) {
    for (const Synonym& synonym : kSynonyms)
        if (synonym.word == word && std::find(known.begin(), known.end(), synonym.ours) != known.end())
            return std::string(synonym.ours);
    return "";
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
    std::string best;
    if (word.size() > kLongest) return best;
    std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string& k : known) {
        if (k.size() > kLongest) continue;
        const std::size_t distance = edit_distance(word, k);
        if (distance < best_distance) {
            best = k;
            best_distance = distance;
        }
    }
    return best.empty() ? synonym_of(word, known) : best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
    const std::string guess = nearest(word, known);
    return guess.empty() ? "" : fmt::format("did you mean '{}'?", guess);
}

Error unknown_word(std::string_view kind, std::string_view word, const std::vector<std::string>& known) {
    const std::string question = did_you_mean(word, known);
    return {.what = fmt::format("there is no {} '{}'{}{}", kind, word, question.empty() ? "" : "; ", question),
            .remedy = fmt::format("there are: {}", fmt::join(known, ", "))};
}

}  // namespace spindrift
