// SPDX-License-Identifier: Apache-2.0
// Our values as TOML that reads back to the same value.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "base/setting.h"
#include "scene/describe.h"

namespace spindrift {

std::string toml_text(bool value);
std::string toml_text(int value);
std::string toml_text(std::uint64_t value);
std::string toml_text(double value);
std::string toml_text(const std::string& value);
std::string toml_text(const std::vector<std::string>& value);
std::string toml_text(const std::vector<Vec<double, 3>>& value, int dim);
std::string toml_text(const std::map<std::string, std::string>& value);
std::string toml_text(const Vec<int, 2>& value);
std::string toml_text(const scene::Color& value);
std::string toml_text(const scene::FilePath& value);
std::string toml_text(const scene::ImagePath& value);
std::string toml_text(const scene::HeightImage& value);
std::string toml_text(const FieldValue& value);
std::string toml_text(const TimeValue& value);
std::string toml_text(const scene::WallValues& value);

// Those whose length depends on the dimension of the scene.
std::string toml_text(const Vec<double, 3>& value, int dim);
std::string toml_text(const scene::Rotation& value, int dim);
std::string toml_text(const TimeVector& value, int dim);
std::string toml_text(const FieldVector& value, int dim);
std::string toml_text(const scene::CurvePath& value, int dim);
std::string toml_text(const scene::Gravity& value, int dim);
std::string toml_text(const scene::Turn& value, int dim);
std::string toml_text(const scene::Sides& value, int dim);

template <class E>
requires std::is_enum_v<E> std::string toml_text(E value) { return '"' + std::string(choice_name(value)) + '"'; }

template <class T>
std::string toml_text(const T& value, int) {
    return toml_text(value);
}

}  // namespace spindrift
