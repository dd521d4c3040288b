// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <array>
#include <bit>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

std::span<const std::byte> bytes(std::string_view s) { return std::as_bytes(std::span(s)); }

TEST(Hash, HasTheValuesOfTheStandardTool) {
    // printf %s … | xxhsum -H3, and -H2 for 128 bits.
    EXPECT_EQ(hex(hash_bytes(bytes(""))), "2d06800538d394c2");
    EXPECT_EQ(hex(hash128_bytes(bytes(""))), "99aa06d3014798d86001c324468d497f");
    EXPECT_EQ(hex(hash_bytes(bytes("abc"))), "78af5f94892f3950");
    EXPECT_EQ(hex(hash128_bytes(bytes("abc"))), "06b05ab6733a618578af5f94892f3950");
}

TEST(Hash, HexKeepsLeadingZeros) {
    EXPECT_EQ(hex(std::uint64_t{0xabc}), "0000000000000abc");
    EXPECT_EQ(hex(Hash128{1, 2}), "00000000000000010000000000000002");
}

// Long enough for each of the library's ways: up to 16, 128, 240 and more bytes, and more than its internal buffer.
TEST(Hasher, CutsDoNotMatter) {
    std::string all;
    for (int i = 0; i < 3000; ++i) all += static_cast<char>(i * 31 + i / 7);
    for (const std::size_t size : {0u, 1u, 15u, 17u, 130u, 241u, 300u, 3000u}) {
        const std::string_view text = std::string_view(all).substr(0, size);
        for (const std::size_t piece : {1u, 7u, 256u, 5000u}) {
            Hasher hasher;
            for (std::size_t i = 0; i < size; i += piece) hasher.add_bytes(bytes(text.substr(i, piece)));
            hasher.add_bytes({});
            EXPECT_EQ(hasher.digest(), hash_bytes(bytes(text))) << size << " bytes by " << piece;
            EXPECT_EQ(hasher.digest128(), hash128_bytes(bytes(text))) << size << " bytes by " << piece;
        }
    }
}

TEST(Hasher, GoesOnAfterADigest) {
    Hasher hasher;
    hasher.add_bytes(bytes("spin"));
    EXPECT_EQ(hasher.digest(), hash_bytes(bytes("spin")));
    hasher.add_bytes(bytes("drift"));
    EXPECT_EQ(hasher.digest(), hash_bytes(bytes("spindrift")));
    Hasher moved = std::move(hasher);
    EXPECT_EQ(moved.add_bytes(bytes("!")).digest(), hash_bytes(bytes("spindrift!")));
}

TEST(Hasher, ValuesAreTheirLittleEndianBytes) {
    EXPECT_EQ(Hasher().add(std::uint32_t{0x64636261}).digest(), hash_bytes(bytes("abcd")));
    EXPECT_EQ(Hasher().add(std::bit_cast<float>(0x64636261)).digest(), hash_bytes(bytes("abcd")));
    EXPECT_EQ(Hasher().add(Vec<std::uint8_t, 2>('a', 'b')).add('c').digest(), hash_bytes(bytes("abc")));
}

TEST(Hasher, TellsApartWhatDiffers) {
    enum class Kind : std::uint8_t { air, water };
    std::set<std::uint64_t> seen;
    int count = 0;
    const auto put = [&](const Hasher& h) {
        seen.insert(h.digest());
        ++count;
    };
    using Ints = std::vector<int>;
    put(Hasher());
    put(Hasher().add(0.0f));
    put(Hasher().add(-0.0f));
    put(Hasher().add(1.0f));
    put(Hasher().add(1.0));
    put(Hasher().add(Kind::air));
    put(Hasher().add(Kind::water));
    put(Hasher().add(Ints{}));
    put(Hasher().add(Ints{}).add(Ints{}));
    put(Hasher().add(Ints{1, 2}).add(Ints{3}));
    put(Hasher().add(Ints{1}).add(Ints{2, 3}));
    put(Hasher().add(Ints{1, 2, 3}));
    put(Hasher().add(1).add(2).add(3));
    put(Hasher().add(std::string_view("ab")).add(std::string_view("c")));
    put(Hasher().add(std::string_view("a")).add(std::string_view("bc")));
    EXPECT_EQ(static_cast<int>(seen.size()), count);
}

TEST(Hasher, RangesHashByTheirItems) {
    const std::vector<Vec<float, 3>> points{{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}};
    const std::vector<Vec<float, 3>> same{{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}};
    EXPECT_EQ(Hasher().add(points).digest(), Hasher().add(std::span(same)).digest());
    EXPECT_EQ(Hasher().add(std::string("abc")).digest(), Hasher().add(std::string_view("abc")).digest());
}

// What must not compile: bits that are padding, or an address, would differ from run to run.
struct Padded {
    char c;
    int i;
};
static_assert(Hashable<int> && Hashable<double> && Hashable<Index<3>> && Hashable<std::array<Vec<float, 2>, 3>>);
static_assert(!Hashable<Padded> && !Hashable<int*> && !Hashable<const char*> && !Hashable<long double>);
static_assert(!Hashable<std::string_view> && !Hashable<std::span<int>> && !Hashable<std::array<Padded, 2>>);
static_assert(!Hashable<Vec<long double, 2>>);
static_assert(HashableRange<std::vector<float>> && HashableRange<std::string> && HashableRange<std::span<const int>>);
static_assert(!HashableRange<std::vector<int*>> && !HashableRange<std::vector<Padded>>);
static_assert(!HashableRange<std::vector<bool>> && !HashableRange<std::set<int>>);

}  // namespace
}  // namespace spindrift
