// SPDX-License-Identifier: Apache-2.0
#include "session/report/report.h"

#include <cmath>
#include <filesystem>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_folder.h"
#include "io/png.h"
#include "io/whole_file.h"
#include "session/report/html.h"
#include "session/report/plot.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;

// The first tag that is closed wrongly or never; empty when all is well.
std::string tag_fault(const std::string& page) {
    const std::set<std::string> never_closed{"meta", "img"};
    std::vector<std::string> open;
    // What stands in scripts and styles is not HTML.
    const std::string tags = std::regex_replace(page, std::regex("<(script|style)>[^]*?</\\1>"), "");
    const std::regex tag("<(/?)([a-zA-Z0-9]+)((?:[^<>\"]|\"[^\"]*\")*?)(/?)>");
    for (std::sregex_iterator it(tags.begin(), tags.end(), tag), end; it != end; ++it) {
        const std::string name = (*it)[2];
        if ((*it)[4].length() > 0 || never_closed.contains(name)) continue;
        if ((*it)[1].length() == 0) {
            open.push_back(name);
        } else {
            if (open.empty() || open.back() != name) return "</" + name + ">";
            open.pop_back();
        }
    }
    return open.empty() ? "" : "<" + open.back() + ">";
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST(Html, TextCannotBecomeTags) {
    EXPECT_EQ(html::escaped("a < b && \"c\" > 'd'"), "a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
}

TEST(Html, FilesInsideThePage) {
    // RFC 4648, section 10.
    EXPECT_EQ(html::data_uri("text/plain", ""), "data:text/plain;base64,");
    EXPECT_EQ(html::data_uri("text/plain", "f"), "data:text/plain;base64,Zg==");
    EXPECT_EQ(html::data_uri("text/plain", "fo"), "data:text/plain;base64,Zm8=");
    EXPECT_EQ(html::data_uri("text/plain", "foobar"), "data:text/plain;base64,Zm9vYmFy");
    EXPECT_EQ(html::data_uri("x/y", "\xff\xfe"), "data:x/y;base64,//4=");
}

TEST(Plot, TicksAreRoundNumbersInside) {
    EXPECT_EQ(ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
    EXPECT_EQ(ticks(-3, 12, 4), (std::vector<double>{0, 5, 10}));
    for (const double size : {1e-9, 0.003, 7.0, 4e6}) {
        const auto found = ticks(-0.3 * size, size, 4);
        EXPECT_GE(found.size(), 2U) << size;
        EXPECT_LE(found.size(), 6U) << size;
        for (const double tick : found) EXPECT_TRUE(tick >= -0.3 * size && tick <= size) << tick;
    }
    EXPECT_TRUE(ticks(1, 1, 4).empty());
}

TEST(Plot, DrawsWhatItIsGiven) {
    const std::vector<double> times{0, 1, 2, 3, 4};
    const std::string gap = svg_figure({.title = "a & b", .series = {{.values = {1, 2, NAN, 4, 5}}}}, times);
    EXPECT_EQ(tag_fault(gap), "");
    EXPECT_EQ(count(gap, "<path"), 2U) << "no line across the gap";
    EXPECT_NE(gap.find("a &amp; b"), std::string::npos);
    EXPECT_NE(gap.find("data-values=\"1,2,–,4,5\""), std::string::npos);
    EXPECT_EQ(gap.find("nan"), std::string::npos);

    const std::string stack = svg_figure({.title = "s",
                                          .kind = PlotKind::stacked_areas,
                                          .from_zero = true,
                                          .series = {{"low", {1, 1, 1, 1, 1}}, {"high", {2, 2, 2, 2, 2}}}},
                                         times);
    EXPECT_EQ(tag_fault(stack), "");
    EXPECT_NE(stack.find("data-values=\"3,3,3,3,3\""), std::string::npos) << "the pointer reads the sum";
    EXPECT_NE(stack.find("high</li>"), std::string::npos);
}

TEST(Plot, StandsStillNothingAndNonsense) {
    for (const std::vector<double>& values :
         {std::vector<double>{}, std::vector<double>{3}, std::vector<double>{0, 0, 0}, std::vector<double>{7, 7, 7},
          std::vector<double>{NAN, INFINITY, NAN}}) {
        std::vector<double> times(values.size());
        for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<double>(i);
        for (const bool from_zero : {false, true}) {
            const std::string figure = svg_figure({.from_zero = from_zero, .series = {{.values = values}}}, times);
            EXPECT_EQ(tag_fault(figure), "");
            EXPECT_EQ(figure.find("nan"), std::string::npos) << figure;
            EXPECT_EQ(figure.find("inf"), std::string::npos) << figure;
        }
    }
}

class Report : public TestFolder {
  protected:
    void SetUp() override {
        fs::create_directories(folder_ / "images");
        manifest_.frames.resize(9);
        for (int i = 0; i < 9; ++i) {
            FrameRecord& frame = manifest_.frames[static_cast<std::size_t>(i)];
            frame = {.frame = i, .time = i / 24.0, .steps = i > 0 ? 2 : 0};
            frame.report.volume = 0.12;
            frame.report.max_speed = 0.5 * i;
            frame.stages = {{"surface", 0.1}, {"pressure", 0.2}};
        }
    }

    std::string page() const {
        EXPECT_TRUE(write_report(folder_, manifest_));
        return read_text_file(folder_ / kReportName).value();
    }

    Manifest manifest_{.name = "dam",
                       .title = "A <dam> & more",
                       .method = "level-set",
                       .dim = 2,
                       .last_frame = 8,
                       .status = RunStatus::finished,
                       .identity = {.version = "1.2.3", .scene_hash = "00c0ffee", .seed = 77},
                       .scene_file = "dam.toml",
                       .scene_text = "spindrift = 1\n[domain]\nsize = [1, 1]\nresolution = 16\n# \"<hm>\"\n",
                       .warnings = {"there is no liquid in this scene"},
                       .machine = {.cpu = "A processor", .cores = 2, .threads = 3}};
};

TEST_F(Report, TellsWhatTheRunWas) {
    const std::string html = page();
    EXPECT_EQ(tag_fault(html), "");
    for (const char* words :
         {"A &lt;dam&gt; &amp; more", "finished", "8 / 8", "16 × 16 cells", "spindrift 1.2.3", "00c0ffee", "77",
          "A processor", "3 on 2 cores", "# &quot;&lt;hm&gt;&quot;", "there is no liquid in this scene"})
        EXPECT_NE(html.find(words), std::string::npos) << words;
    for (const char* plot : {"Volume error", "Volume", "Largest speed", "Time step", "Pressure iterations", "Memory",
                             "Seconds by stage", "Liquid cells"})
        EXPECT_NE(html.find(fmt::format("<figcaption><b>{}</b>", plot)), std::string::npos) << plot;
}

TEST_F(Report, NeedsNoOtherFileAndNoNetwork) {
    const std::vector<std::uint8_t> grey(32 * 16 * 3, 128);
    ASSERT_TRUE(write_png(folder_ / "images/dam.0002.png", 32, 16, grey));
    manifest_.frames[2].files.push_back({"images/dam.0002.png", {}});
    manifest_.frames[3].files.push_back({"images/dam.0003.png", {}});  // was removed
    ASSERT_TRUE(write_text_file(folder_ / "dam.mp4", "not a film, but bytes"));
    manifest_.products.push_back({"dam.mp4", {.bytes = 21}});
    const std::string html = page();
    EXPECT_EQ(tag_fault(html), "");
    EXPECT_EQ(count(html, "<img"), 1U);
    EXPECT_EQ(count(html, "<video"), 1U);
    EXPECT_EQ(html.find("http"), std::string::npos);
    const std::regex other("(src|href)=\"(?!data:)");
    EXPECT_FALSE(std::regex_search(html, other));
    EXPECT_NE(html.find(html::data_uri("image/png", read_text_file(folder_ / "images/dam.0002.png").value())),
              std::string::npos);
}

TEST_F(Report, SameFolderSameBytes) { EXPECT_EQ(page(), page()); }

TEST_F(Report, SaysWhatWentWrong) {
    manifest_.frames[4].retries = 3;
    manifest_.frames[6].unconverged = 1;
    manifest_.frames[5].report.volume_error = -0.034;
    manifest_.frames[7].report.max_speed = 5000;
    manifest_.frames[8].report.max_speed = 400;
    manifest_.failure = "frame 9 needs more than 200 time steps";
    manifest_.status = RunStatus::failed;
    const std::string html = page();
    EXPECT_NE(html.find("badge failed"), std::string::npos);
    EXPECT_NE(html.find("3 steps taken again with half the length, in frame 4"), std::string::npos);
    EXPECT_NE(html.find("1 pressure solves did not converge, in frame 6"), std::string::npos);
    EXPECT_NE(html.find("-3.40 %"), std::string::npos);
    EXPECT_NE(html.find("2 of 9 frames are faster than anything in the scene explains (100 m/s; the fastest is 5e+03 "
                        "m/s), frames 7, 8"),
              std::string::npos);
    EXPECT_NE(html.find("frame 9 needs more than 200 time steps"), std::string::npos);
}

TEST_F(Report, OfAGasHasAmountsAndNoVolume) {
    EXPECT_NE(page().find("largest volume error"), std::string::npos);
    EXPECT_NE(page().find("Liquid cells"), std::string::npos);
    for (FrameRecord& frame : manifest_.frames) {
        frame.has_volume = false;
        frame.amounts = {{"smoke", 0.5, frame.frame == 5 ? 0.012 : 0.001}};
    }
    const std::string html = page();
    EXPECT_NE(html.find("+1.20 %</b><span>largest error of an amount (smoke)"), std::string::npos);
    EXPECT_NE(html.find("Error of amounts"), std::string::npos);
    for (const char* of_liquids : {"largest volume error", "Volume", "Liquid cells"})
        EXPECT_EQ(html.find(of_liquids), std::string::npos) << of_liquids;
}

TEST_F(Report, OfARunThatHardlyBegan) {
    manifest_.frames.clear();
    manifest_.status = RunStatus::running;  // was killed
    EXPECT_EQ(tag_fault(page()), "");
    EXPECT_NE(page().find("badge interrupted"), std::string::npos);
    manifest_.scene_text = "spindrift = 2\n";
    EXPECT_NE(page().find("cannot read the scene any more"), std::string::npos);
}

TEST_F(Report, ManyStagesShareTheLastColour) {
    for (int i = 0; i < 20; ++i) manifest_.frames[1].stages.emplace_back(fmt::format("stage {}", i), 1.0);
    const std::string html = page();
    EXPECT_NE(html.find("other stages"), std::string::npos);
    EXPECT_EQ(html.find("class=\"s9\""), std::string::npos);
}

TEST_F(Report, FolderWithoutARun) {
    const auto report = report_run(folder_);
    ASSERT_FALSE(report);
    EXPECT_NE(report.errors().text().find("holds no run"), std::string::npos);
}

}  // namespace
}  // namespace spindrift
