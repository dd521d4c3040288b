// SPDX-License-Identifier: Apache-2.0
// What the user or the machine got wrong, told as: where, what, and what to do about it.  A function that can fail for
// such a reason returns a Result; one that reads a whole scene gathers all Errors before it gives up:
//
//   Errors errors;
//   const auto camera = collect(errors, read_camera(node["camera"]));
//   const auto liquid = collect(errors, read_liquid(node["liquid"]));
//   if (!errors.empty()) return errors;
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace spindrift {

// A place in a file, counted from 1; 0 or an empty name stands for unknown.
struct Location {
    std::string file{};
    int line = 0;
    int column = 0;

    friend bool operator==(const Location&, const Location&) = default;
};

struct Error {
    std::string what{};
    std::string remedy{};
    Location where{};
};

// "file:line:column" without the parts that are unknown.
std::string text(const Location& where);

// "file:line:column: what", and below it, indented, what to do.
std::string text(const Error& error);

class Errors {
  public:
    Errors() = default;
    Errors(Error error) { add(std::move(error)); }

    void add(Error error) { list_.push_back(std::move(error)); }
    void add(Errors others);

    bool empty() const { return list_.empty(); }
    std::size_t size() const { return list_.size(); }
    const Error& operator[](std::size_t i) const { return list_[i]; }
    auto begin() const { return list_.begin(); }
    auto end() const { return list_.end(); }

    // One block per error, in the order they were added.
    std::string text() const;

  private:
    std::vector<Error> list_;
};

template <class T>
class Result;

namespace detail {
template <class U, class T>
concept ValueOf = !std::is_same_v<std::remove_cvref_t<U>, Result<T>> && !std::is_convertible_v<U, Errors> &&
                  std::is_convertible_v<U, T>;

// std::source_location, which clang 14 lacks.
struct Caller {
    const char* file;
    int line;
    static constexpr Caller current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        return {file, line};
    }
};

// Out of line, so that this header needs no checks.  They blame the line that asked.
void check_some_errors(const Errors& errors, Caller caller);
[[noreturn]] void value_of_errors(const Errors& errors, Caller caller);
[[noreturn]] void errors_of_value(Caller caller);
}  // namespace detail

template <class T>
class [[nodiscard]] Result {
    static_assert(std::is_object_v<T> && !std::is_same_v<T, Errors> && !std::is_same_v<T, Error>);
    using Caller = detail::Caller;

  public:
    using Value = T;

    // From anything that becomes a T, so that `return "text";` and `return std::make_unique<Derived>();` just work.
    template <detail::ValueOf<T> U = T>
    Result(U&& value) : either_(std::in_place_index<0>, std::forward<U>(value)) {}
    Result(Errors errors, Caller caller = Caller::current()) : either_(std::in_place_index<1>, std::move(errors)) {
        detail::check_some_errors(std::get<1>(either_), caller);
    }
    Result(Error error) : either_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return either_.index() == 0; }

    // To ask for the value of a failure, or the errors of a success, is our own mistake and stops the program.
    // A temporary hands out its value itself, not a reference: `for (x : read().value())` is then safe.
    T& value(Caller caller = Caller::current()) & { return *held(this, caller); }
    const T& value(Caller caller = Caller::current()) const& { return *held(this, caller); }
    T value(Caller caller = Caller::current()) && { return std::move(*held(this, caller)); }

    const Errors& errors(Caller caller = Caller::current()) const& { return *failure(this, caller); }
    Errors errors(Caller caller = Caller::current()) && { return std::move(*failure(this, caller)); }

  private:
    template <class Self>
    static auto held(Self* self, Caller caller) {
        auto* value = std::get_if<0>(&self->either_);
        if (value == nullptr) detail::value_of_errors(std::get<1>(self->either_), caller);
        return value;
    }
    template <class Self>
    static auto failure(Self* self, Caller caller) {
        auto* errors = std::get_if<1>(&self->either_);
        if (errors == nullptr) detail::errors_of_value(caller);
        return errors;
    }

    std::variant<T, Errors> either_;
};

// Success or errors.  An empty list of errors is success: a function that only checks ends with `return errors;`.
template <>
class [[nodiscard]] Result<void> {
    using Caller = detail::Caller;

  public:
    using Value = void;

    Result() = default;
    Result(Errors errors) : errors_(std::move(errors)) {}
    Result(Error error) : errors_(std::move(error)) {}

    explicit operator bool() const { return errors_.empty(); }

    void value(Caller caller = Caller::current()) const {
        if (!errors_.empty()) detail::value_of_errors(errors_, caller);
    }
    const Errors& errors(Caller caller = Caller::current()) const& {
        if (errors_.empty()) detail::errors_of_value(caller);
        return errors_;
    }
    Errors errors(Caller caller = Caller::current()) && {
        if (errors_.empty()) detail::errors_of_value(caller);
        return std::move(errors_);
    }

  private:
    Errors errors_;
};

// The value, or nothing and one failure more on the list: a reader goes on to find the next mistake.
template <class T>
std::optional<T> collect(Errors& errors, Result<T> result) {
    if (result) return std::move(result).value();
    errors.add(std::move(result).errors());
    return std::nullopt;
}
inline bool collect(Errors& errors, Result<void> result) {
    if (result) return true;
    errors.add(std::move(result).errors());
    return false;
}

}  // namespace spindrift
