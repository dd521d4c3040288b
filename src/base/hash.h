// SPDX-License-Identifier: Apache-2.0
// Hashes that tell whether two things have the same bits (XXH3, the same on every machine; `xxhsum -H3` and `-H2` print
// the same digits for a file).  Not for keeping secrets.
//
// Values are hashed by their bits, whatever their type: 0 and -0 differ, -1 and 2^32 - 1 do not.  Only numbers,
// enumerations and arrays of them can be hashed: a structure could have padding or pointers, whose bits are chance, so
// hash its members.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>

#include "base/vec.h"

namespace spindrift {

static_assert(std::endian::native == std::endian::little, "hashes are defined over little-endian values");

struct Hash128 {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend constexpr auto operator<=>(const Hash128&, const Hash128&) = default;
};

std::uint64_t hash_bytes(std::span<const std::byte> bytes);
Hash128 hash128_bytes(std::span<const std::byte> bytes);

// Fixed width, lower case, highest digit first.
std::string hex(std::uint64_t hash);
std::string hex(const Hash128& hash);

namespace detail {
template <class T>
constexpr bool kHashable = (std::is_arithmetic_v<T> && !std::is_same_v<T, long double>) || std::is_enum_v<T>;
template <class T, std::size_t N>
constexpr bool kHashable<std::array<T, N>> = kHashable<T> && sizeof(std::array<T, N>) == N * sizeof(T);
template <class T, int N>
constexpr bool kHashable<Vec<T, N>> = kHashable<T> && sizeof(Vec<T, N>) == N * sizeof(T);
}  // namespace detail

template <class T>
concept Hashable = detail::kHashable<T>;

template <class R>
concept HashableRange = !Hashable<std::remove_cvref_t<R>> && std::ranges::contiguous_range<R> &&
                        std::ranges::sized_range<R> && Hashable<std::ranges::range_value_t<R>>;

// A hash of many things in order.
class Hasher {
  public:
    Hasher();
    Hasher(Hasher&&) noexcept;
    Hasher& operator=(Hasher&&) noexcept;
    ~Hasher();

    // Only the bytes: how they are cut into calls does not matter.
    Hasher& add_bytes(std::span<const std::byte> bytes);

    template <Hashable T>
    Hasher& add(const T& value) {
        return add_bytes(std::as_bytes(std::span(&value, 1)));
    }

    // The number of items, then the items: {1, 2}, {3} and {1}, {2, 3} differ.
    template <HashableRange R>
    Hasher& add(const R& items) {
        const std::span<const std::ranges::range_value_t<R>> all(items);
        return add(static_cast<std::uint64_t>(all.size())).add_bytes(std::as_bytes(all));
    }

    // Of what was added so far; more may be added after.
    std::uint64_t digest() const;
    Hash128 digest128() const;

  private:
    struct State;  // keeps the library out of this header
    std::unique_ptr<State> state_;
};

}  // namespace spindrift
