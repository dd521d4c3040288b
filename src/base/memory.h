// SPDX-License-Identifier: Apache-2.0
// Large blocks of memory: aligned to cache lines (to huge pages when big enough), accounted, and with an error that
// says how much was asked for when there is no more.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace spindrift {

// Thrown when the machine has no more memory, with the bytes asked for and the bytes in use in its text.
class OutOfMemory : public std::bad_alloc {
  public:
    explicit OutOfMemory(std::size_t bytes);
    const char* what() const noexcept override { return text_.c_str(); }

  private:
    std::string text_;
};

struct MemoryUse {
    std::size_t bytes;  // held by blocks now
    std::size_t peak;   // most ever held, or since reset_peak_memory()
};
MemoryUse memory_use();
void reset_peak_memory();

void* allocate_block(std::size_t bytes);
void release_block(void* block, std::size_t bytes) noexcept;
void copy_block(void* to, const void* from, std::size_t bytes);  // on all threads

// A block of plain values.  Not initialised: whoever makes one fills it, in parallel where that pays.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    Buffer() = default;
    explicit Buffer(std::size_t size) : data_(static_cast<T*>(allocate_block(bytes_of(size)))), size_(size) {}
    Buffer(const Buffer& other) : Buffer(other.size_) { copy_block(data_, other.data_, size_ * sizeof(T)); }
    Buffer(Buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        Buffer taken(std::move(other));
        std::swap(data_, taken.data_);
        std::swap(size_, taken.size_);
        return *this;
    }
    // Into the block it has, where that is of the right size.
    Buffer& operator=(const Buffer& other) {
        if (size_ != other.size_) return *this = Buffer(other);
        if (this != &other) copy_block(data_, other.data_, size_ * sizeof(T));
        return *this;
    }
    ~Buffer() { release_block(data_, size_ * sizeof(T)); }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }

  private:
    // A size that overflows asks for more than any machine has.
    static std::size_t bytes_of(std::size_t size) {
        constexpr std::size_t kMost = ~std::size_t{0};
        return size > kMost / sizeof(T) ? kMost : size * sizeof(T);
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace spindrift
