// SPDX-License-Identifier: Apache-2.0
#include "io/snapshot.h"

#include <cstring>

#include <fmt/format.h>

namespace spindrift {
namespace {

// An item that keeps its own copy of the bytes.
Snapshot::Item kept(Snapshot::Type type, std::vector<std::size_t> shape, std::span<const std::byte> bytes) {
    auto copy = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
    const std::span<const std::byte> view(*copy);
    return {type, std::move(shape), view, std::move(copy)};
}
template <class T>
Snapshot::Item kept_value(Snapshot::Type type, const T& value) {
    return kept(type, {}, std::as_bytes(std::span(&value, 1)));
}

// Rows of Dim numbers.
template <int Dim>
Snapshot::Item coordinates_of(const Tiles<Dim>& tiles) {
    std::vector<Index<Dim>> rows(tiles.count());
    for (std::size_t slot = 0; slot < rows.size(); ++slot) rows[slot] = tiles.coordinate(static_cast<Slot>(slot));
    return kept(Snapshot::Type::int32, {rows.size(), Dim}, std::as_bytes(std::span<const Index<Dim>>(rows)));
}

template <int Dim>
Snapshot::Item period_of(const Tiles<Dim>& tiles) {
    return kept(Snapshot::Type::int32, {Dim}, std::as_bytes(std::span(&tiles.period(), 1)));
}

template <int Dim>
std::vector<std::size_t> value_shape(std::size_t tiles) {
    std::vector<std::size_t> shape(Dim + 1, kTileSide);
    shape[0] = tiles;
    return shape;
}

constexpr const char* kAxisNames[] = {"/x", "/y", "/z"};

// Large arrays are hashed in pieces, so that threads can share the work.
std::vector<std::uint64_t> hashes_of_pieces(std::span<const std::byte> bytes) {
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    std::vector<std::uint64_t> pieces((bytes.size() + kPiece - 1) / kPiece);
    parallel_ranges(bytes.size(), kPiece, [&](std::size_t begin, std::size_t end) {
        pieces[begin / kPiece] = hash_bytes(bytes.subspan(begin, end - begin));
    });
    return pieces;
}

}  // namespace

std::size_t size_of(Snapshot::Type type) {
    switch (type) {
        case Snapshot::Type::int32:
        case Snapshot::Type::float32: return 4;
        case Snapshot::Type::int64:
        case Snapshot::Type::float64: return 8;
        case Snapshot::Type::text: break;
    }
    return 1;
}

void Snapshot::add(const std::string& name, double value) { add_item(name, kept_value(Type::float64, value)); }
void Snapshot::add(const std::string& name, std::int64_t value) { add_item(name, kept_value(Type::int64, value)); }
void Snapshot::add(const std::string& name, const std::string& value) {
    add_item(name, kept(Type::text, {value.size()}, std::as_bytes(std::span(value))));
}

void Snapshot::add(const std::string& name, std::span<const float> values) {
    add_item(name, kept(Type::float32, {values.size()}, std::as_bytes(values)));
}
void Snapshot::add(const std::string& name, std::span<const double> values) {
    add_item(name, kept(Type::float64, {values.size()}, std::as_bytes(values)));
}
void Snapshot::add(const std::string& name, std::span<const std::int64_t> values) {
    add_item(name, kept(Type::int64, {values.size()}, std::as_bytes(values)));
}

template <int Dim>
void Snapshot::add(const std::string& name, const Field<float, Dim>& field) {
    const auto [known, is_new] = tile_sets_.try_emplace(&field.tiles(), static_cast<std::int64_t>(tile_sets_.size()));
    if (is_new) {
        add_item(fmt::format("tiles/{}", known->second), coordinates_of(field.tiles()));
        if (field.tiles().is_periodic())
            add_item(fmt::format("tile_period/{}", known->second), period_of(field.tiles()));
    }
    add(name + "/tiles", known->second);
    add_item(name + "/background", kept_value(Type::float32, field.background()));
    add_item(name + "/values",
             {Type::float32, value_shape<Dim>(field.tiles().count()), std::as_bytes(field.values()), nullptr});
}

template <int Dim>
void Snapshot::add(const std::string& name, const FaceField<Dim>& faces) {
    for (int axis = 0; axis < Dim; ++axis) add(name + kAxisNames[axis], faces[axis]);
}

void Snapshot::add_item(const std::string& name, Item item) {
    CHECK(items_.try_emplace(name, std::move(item)).second, "snapshot: two items are named '{}'", name);
}

void Snapshot::add_folder(const std::string& folder, const Snapshot& other) {
    for (const auto& [name, item] : other.items_) add_item(folder + "/" + name, item);
}

Snapshot Snapshot::folder(const std::string& folder) const {
    Snapshot inner;
    const std::string prefix = folder + "/";
    for (const auto& [name, item] : items_)
        if (name.starts_with(prefix)) inner.items_.emplace(name.substr(prefix.size()), item);
    return inner;
}

Hash128 Snapshot::hash() const {
    Hasher hasher;
    for (const auto& [name, item] : items_)
        hasher.add(name).add(item.type).add(item.shape).add(hashes_of_pieces(item.bytes));
    return hasher.digest128();
}

const Snapshot::Item* SnapshotReader::find(const std::string& name, Snapshot::Type type, std::size_t rank) {
    const auto found = snapshot_.items().find(name);
    if (found == snapshot_.items().end()) {
        errors_.add({.what = fmt::format("has no '{}'", name)});
        return nullptr;
    }
    if (found->second.type != type || found->second.shape.size() != rank) {
        errors_.add({.what = fmt::format("'{}' is of another kind than expected", name)});
        return nullptr;
    }
    return &found->second;
}

void SnapshotReader::operator()(const std::string& name, double& value) {
    if (const auto* item = find(name, Snapshot::Type::float64, 0)) std::memcpy(&value, item->bytes.data(), 8);
}
void SnapshotReader::operator()(const std::string& name, std::int64_t& value) {
    if (const auto* item = find(name, Snapshot::Type::int64, 0)) std::memcpy(&value, item->bytes.data(), 8);
}
void SnapshotReader::operator()(const std::string& name, std::string& value) {
    if (const auto* item = find(name, Snapshot::Type::text, 1))
        value.assign(reinterpret_cast<const char*>(item->bytes.data()), item->bytes.size());
}

template <class T>
void SnapshotReader::read_list(const std::string& name, Snapshot::Type type, std::vector<T>& values) {
    const auto* item = find(name, type, 1);
    if (item == nullptr) return;
    values.resize(item->shape[0]);
    if (!values.empty()) std::memcpy(values.data(), item->bytes.data(), item->bytes.size());
}
void SnapshotReader::operator()(const std::string& name, std::vector<float>& values) {
    read_list(name, Snapshot::Type::float32, values);
}
void SnapshotReader::operator()(const std::string& name, std::vector<double>& values) {
    read_list(name, Snapshot::Type::float64, values);
}
void SnapshotReader::operator()(const std::string& name, std::vector<std::int64_t>& values) {
    read_list(name, Snapshot::Type::int64, values);
}

template <int Dim>
TilesPtr<Dim> SnapshotReader::tiles(std::int64_t number) {
    if (const auto known = tile_sets_.find(number); known != tile_sets_.end())
        return std::static_pointer_cast<const Tiles<Dim>>(known->second);
    const std::string name = fmt::format("tiles/{}", number);
    const auto* item = find(name, Snapshot::Type::int32, 2);
    if (item == nullptr) return nullptr;
    if (item->shape[1] != Dim) {
        errors_.add({.what = fmt::format("'{}' has {} dimensions; {} were expected", name, item->shape[1], Dim)});
        return nullptr;
    }
    std::vector<Index<Dim>> coordinates(item->shape[0]);
    if (!coordinates.empty()) std::memcpy(coordinates.data(), item->bytes.data(), item->bytes.size());
    Index<Dim> period{};
    if (const std::string period_name = fmt::format("tile_period/{}", number);
        snapshot_.items().contains(period_name)) {
        const auto* given = find(period_name, Snapshot::Type::int32, 1);
        if (given == nullptr || given->shape[0] != Dim) return nullptr;
        std::memcpy(&period, given->bytes.data(), sizeof period);
    }
    TilesPtr<Dim> made = Tiles<Dim>::from_coordinates(coordinates, period);

    // Values are stored by slot, so the order must be the one that tiles give themselves.
    bool same = made->count() == coordinates.size();
    for (std::size_t slot = 0; same && slot < coordinates.size(); ++slot)
        same = made->coordinate(static_cast<Slot>(slot)) == coordinates[slot];
    if (!same) {
        errors_.add({.what = fmt::format("'{}' lists tiles twice or in another order", name)});
        return nullptr;
    }
    tile_sets_.emplace(number, made);
    return made;
}

template <int Dim>
void SnapshotReader::operator()(const std::string& name, Field<float, Dim>& field) {
    std::int64_t number = -1;
    (*this)(name + "/tiles", number);
    const auto* background = find(name + "/background", Snapshot::Type::float32, 0);
    const auto* values = find(name + "/values", Snapshot::Type::float32, Dim + 1);
    if (number < 0 || background == nullptr || values == nullptr) return;
    const TilesPtr<Dim> where = tiles<Dim>(number);
    if (where == nullptr) return;
    if (values->shape != value_shape<Dim>(where->count())) {
        errors_.add({.what = fmt::format("'{}' has not as many values as its tiles have cells", name)});
        return;
    }
    float outside = 0;
    std::memcpy(&outside, background->bytes.data(), sizeof(float));
    field = Field<float, Dim>::unfilled(where, outside);
    if (!values->bytes.empty()) std::memcpy(field.values().data(), values->bytes.data(), values->bytes.size());
}

template <int Dim>
void SnapshotReader::operator()(const std::string& name, FaceField<Dim>& faces) {
    for (int axis = 0; axis < Dim; ++axis) (*this)(name + kAxisNames[axis], faces[axis]);
}

template void Snapshot::add(const std::string&, const Field<float, 2>&);
template void Snapshot::add(const std::string&, const Field<float, 3>&);
template void Snapshot::add(const std::string&, const FaceField<2>&);
template void Snapshot::add(const std::string&, const FaceField<3>&);
template void SnapshotReader::operator()(const std::string&, Field<float, 2>&);
template void SnapshotReader::operator()(const std::string&, Field<float, 3>&);
template void SnapshotReader::operator()(const std::string&, FaceField<2>&);
template void SnapshotReader::operator()(const std::string&, FaceField<3>&);

}  // namespace spindrift
