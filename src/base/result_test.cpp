// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

Error error(std::string what, std::string remedy = "", Location where = {}) {
    return {std::move(what), std::move(remedy), std::move(where)};
}

TEST(Location, LeavesOutWhatIsUnknown) {
    EXPECT_EQ(text(Location{"dam.toml", 12, 7}), "dam.toml:12:7");
    EXPECT_EQ(text(Location{"dam.toml", 12, 0}), "dam.toml:12");
    EXPECT_EQ(text(Location{"dam.toml", 0, 0}), "dam.toml");
    EXPECT_EQ(text(Location{"dam.toml", 0, 7}), "dam.toml");  // a column needs its line
    EXPECT_EQ(text(Location{"", 12, 7}), "12:7");
    EXPECT_EQ(text(Location{}), "");
}

TEST(Error, SaysWhereWhatAndWhatToDo) {
    EXPECT_EQ(text(error("no such mesh 'ship.ply'", "did you mean 'Ship.ply'?", {"dam.toml", 3, 1})),
              "dam.toml:3:1: no such mesh 'ship.ply'\n    did you mean 'Ship.ply'?");
    EXPECT_EQ(text(error("the disk is full")), "the disk is full");
}

TEST(Error, StaysOneBlockWhenItHasSeveralLines) {
    EXPECT_EQ(text(error("one\ntwo\n", "three\nfour\n", {"a", 1, 0})), "a:1: one\n    two\n    three\n    four");
}

TEST(Errors, TellAllOfThemInTheOrderFound) {
    Errors errors;
    EXPECT_TRUE(errors.empty());
    EXPECT_EQ(errors.text(), "");

    errors.add(error("first", "mend it", {"s.toml", 1, 2}));
    Errors more;
    more.add({.what = "second"});
    more.add(error("third", "", {"s.toml", 9, 0}));
    errors.add(std::move(more));

    EXPECT_FALSE(errors.empty());
    ASSERT_EQ(errors.size(), 3u);
    EXPECT_EQ(errors[1].what, "second");
    EXPECT_EQ(errors.text(), "s.toml:1:2: first\n    mend it\nsecond\ns.toml:9: third");
}

Result<int> parsed(const std::string& s) {
    if (s.empty() || s.find_first_not_of("0123456789") != std::string::npos) {
        return Error{.what = "'" + s + "' is no number", .remedy = "write digits"};
    }
    return std::stoi(s);
}

TEST(Result, HoldsAValueOrErrors) {
    Result<int> good = parsed("42");
    ASSERT_TRUE(good);
    EXPECT_EQ(good.value(), 42);
    good.value() = 43;
    EXPECT_EQ(std::as_const(good).value(), 43);

    const Result<int> bad = parsed("4x2");
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.errors().text(), "'4x2' is no number\n    write digits");
}

// What return statements are expected to accept.
struct Shape {
    virtual ~Shape() = default;
    virtual std::string name() const = 0;
};
struct Sphere : Shape {
    std::string name() const override { return "sphere"; }
};
Result<std::unique_ptr<Shape>> made(bool fails) {
    if (fails) return Error{"no shape"};
    return std::make_unique<Sphere>();
}
Result<std::string> greeting() { return "hello"; }
Result<std::vector<int>> forwarded(const std::string& s) {
    Result<int> number = parsed(s);
    if (!number) return std::move(number).errors();
    return std::vector<int>(3, number.value());
}

TEST(Result, CarriesWhatCanOnlyBeMoved) {
    Result<std::unique_ptr<Shape>> result = made(false);
    Result<std::unique_ptr<Shape>> moved = std::move(result);
    ASSERT_TRUE(moved);
    const std::unique_ptr<Shape> shape = std::move(moved).value();
    EXPECT_EQ(shape->name(), "sphere");
    EXPECT_EQ(made(true).errors().text(), "no shape");
}

TEST(Result, ConvertsWhatIsReturned) {
    EXPECT_EQ(greeting().value(), "hello");
    EXPECT_EQ(forwarded("7").value(), (std::vector{7, 7, 7}));
    EXPECT_EQ(forwarded("").errors().text(), "'' is no number\n    write digits");
    static_assert(!std::is_convertible_v<Result<int>, bool>, "a Result must not become a number in passing");
    static_assert(!std::is_constructible_v<Result<int>, std::string>);
}

TEST(Result, TemporaryHandsOutItsValueNotAReference) {
    int sum = 0;
    for (const int i : forwarded("5").value()) sum += i;
    EXPECT_EQ(sum, 15);
}

Result<void> checked(const std::vector<std::string>& numbers) {
    Errors errors;
    for (const std::string& s : numbers) collect(errors, parsed(s));
    return errors;
}

TEST(ResultVoid, IsSuccessWhenNoErrorWasFound) {
    EXPECT_TRUE(Result<void>());
    EXPECT_TRUE(checked({"1", "2"}));
    checked({"1", "2"}).value();

    const Result<void> bad = checked({"a", "1", "b"});
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.errors().size(), 2u);
    EXPECT_FALSE(Result<void>(Error{"no"}));
}

TEST(Collect, GoesOnToTheNextMistake) {
    Errors errors;
    EXPECT_EQ(collect(errors, parsed("12")), 12);
    EXPECT_EQ(collect(errors, parsed("x")), std::nullopt);
    EXPECT_FALSE(collect(errors, checked({"y", "3", "z"})));
    EXPECT_TRUE(collect(errors, checked({})));
    EXPECT_EQ(errors.text(),
              "'x' is no number\n    write digits\n"
              "'y' is no number\n    write digits\n"
              "'z' is no number\n    write digits");
}

// The message names the line that asked, not one in result.h.
TEST(ResultDeathTest, MisuseStopsAndSaysWhoAsked) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto here = "result_test\\.cpp:[0-9]+: .*";
    EXPECT_DEATH(parsed("x").value(),
                 std::string(here) + "result.*\n.*holds errors:\n'x' is no number\n    write digits");
    EXPECT_DEATH(static_cast<void>(parsed("1").errors()), std::string(here) + "holds none");
    EXPECT_DEATH(Result<void>(Error{"no luck"}).value(), std::string(here) + "no luck");
    EXPECT_DEATH(static_cast<void>(Result<void>().errors()), std::string(here) + "holds none");
    EXPECT_DEATH(static_cast<void>(Result<int>(Errors{})), std::string(here) + "empty list");
}

}  // namespace
}  // namespace spindrift
