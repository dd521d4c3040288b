// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <new>

#include <fmt/format.h>
#include <xxhash.h>

namespace spindrift {
namespace {

Hash128 from_library(XXH128_hash_t hash) { return {hash.high64, hash.low64}; }

}  // namespace

std::uint64_t hash_bytes(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }
Hash128 hash128_bytes(std::span<const std::byte> bytes) {
    return from_library(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string hex(std::uint64_t hash) { return fmt::format("{:016x}", hash); }
std::string hex(const Hash128& hash) { return hex(hash.high) + hex(hash.low); }

// One state serves both widths; the library aligns it.
struct Hasher::State {
    State() : xxh(XXH3_createState()) {
        if (xxh == nullptr) throw std::bad_alloc();
        XXH3_128bits_reset(xxh);
    }
    ~State() { XXH3_freeState(xxh); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    XXH3_state_t* xxh;
};

Hasher::Hasher() : state_(std::make_unique<State>()) {}
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;
Hasher::~Hasher() = default;

Hasher& Hasher::add_bytes(std::span<const std::byte> bytes) {
    // The library calls an empty span without an address an error.
    if (!bytes.empty()) XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size());
    return *this;
}

std::uint64_t Hasher::digest() const { return XXH3_64bits_digest(state_->xxh); }
Hash128 Hasher::digest128() const { return from_library(XXH3_128bits_digest(state_->xxh)); }

}  // namespace spindrift
