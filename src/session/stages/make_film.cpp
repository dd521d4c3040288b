// SPDX-License-Identifier: Apache-2.0
#include "session/stages/make_film.h"

#include <algorithm>

#include "io/film.h"

namespace spindrift {

Result<void> make_film(const std::filesystem::path& folder, Manifest& manifest, double fps) {
    std::vector<std::filesystem::path> pictures;
    for (const FrameRecord& frame : manifest.frames)
        for (const FileRecord& file : frame.files)
            if (file.path.starts_with("images/")) pictures.push_back(folder / file.path);
    if (pictures.size() < 2) return {};
    const std::string name = manifest.name + ".mp4";
    if (auto made = film_from_pngs(folder / name, pictures, {.fps = fps}); !made) return made;
    const auto checksum = file_checksum(folder / name);
    if (!checksum) return checksum.errors();
    std::erase_if(manifest.products, [&](const FileRecord& file) { return file.path == name; });
    manifest.products.push_back({name, checksum.value()});
    return {};
}

}  // namespace spindrift
