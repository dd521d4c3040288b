// SPDX-License-Identifier: Apache-2.0
#include "session/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "base/check.h"
#include "base/log.h"
#include "base/profile.h"
#include "session/frame_faults.h"
#include "session/frame_files.h"
#include "session/output/output_folder.h"
#include "session/output/run_checkpoint.h"
#include "session/output/run_log.h"
#include "session/probes/probe_log.h"
#include "session/report/report.h"
#include "session/resume.h"
#include "session/stages/make_film.h"
#include "session/time_steps.h"

namespace spindrift {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double resident_mib() {
    std::ifstream stream("/proc/self/statm");
    double pages = 0, resident = 0;
    stream >> pages >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

class Runner {
  public:
    Runner(Simulation& simulation, Manifest manifest, const RunSettings& settings, const RunObserver& observer)
        : simulation_(simulation),
          manifest_(std::move(manifest)),
          settings_(settings),
          observer_(observer),
          folder_(settings.folder, manifest_.name),
          probes_(settings.folder, settings.probes),
          context_before_(set_failure_context([this] { return where_it_is(); })) {}
    ~Runner() { set_failure_context(std::move(context_before_)); }
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    Result<RunOutcome> run() {
        const Clock::time_point start = Clock::now();
        if (auto ready = prepare(); !ready) return std::move(ready).errors();
        auto made = guarded_frames();
        if (!made) return leave_note(std::move(made).errors());
        outcome_.frame = progress_.frame;
        outcome_.seconds = seconds_since(start);
        return outcome_;
    }

  private:
    // ——— Beginning ———

    Result<void> prepare() {
        // Nothing is made where there is nothing to do.
        if (settings_.from && !folder_.has_manifest())
            return Error{.what = "holds no run to go on with from a frame",
                         .remedy = "leave out --from to begin, or name the run's folder with -o",
                         .where = {.file = folder_.path().string()}};
        if (auto made = folder_.make(); !made) return made;
        auto lock = FolderLock::take(folder_.path());
        if (!lock) return std::move(lock).errors();
        lock_.emplace(std::move(lock).value());
        folder_.remove_partial_files();

        if (folder_.has_manifest()) {
            if (auto resumed = resume(); !resumed) return resumed;
        } else if (const auto stray = folder_.stray_file(); stray && !settings_.resume) {
            return Error{.what = "holds files of a run, but no manifest",
                         .remedy = fmt::format("use another folder with -o, or remove this one ({} is in it)",
                                               stray->filename().string()),
                         .where = {.file = folder_.path().string()}};
        }
        if (!folder_.has_manifest())
            if (auto begun = probes_.begin(); !begun) return begun;
        auto log = RunLog::open(folder_.log_path());
        if (!log) return std::move(log).errors();
        log_.emplace(std::move(log).value());
        manifest_.status = RunStatus::running;
        manifest_.failure.clear();
        manifest_.last_frame = settings_.last_frame;
        manifest_.warnings = settings_.warnings;
        if (auto written = write_manifest(folder_.path(), manifest_); !written) return written;
        if (settings_.from) remove_files_after(folder_.path(), there_, progress_.frame);
        if (observer_.started)
            observer_.started({.frame = progress_.frame,
                               .steps = progress_.steps,
                               .last_frame = settings_.last_frame,
                               .checkpoint = checkpoint_});
        return log_->event("start", fmt::format("\"frame\":{},\"steps\":{},\"last_frame\":{}", progress_.frame,
                                                progress_.steps, settings_.last_frame));
    }

    // Takes over what is in the folder.
    Result<void> resume() {
        if (!settings_.resume && !settings_.from)
            return Error{.what = "holds a run already",
                         .remedy = "go on with it: --resume; or use another folder: -o DIR",
                         .where = {.file = folder_.path().string()}};
        auto there = manifest_to_continue(folder_.path(), manifest_.identity);
        if (!there) return std::move(there).errors();
        const int newest = there.value().frames.empty() ? -1 : there.value().frames.back().frame;
        if (settings_.from && *settings_.from > newest + 1)
            return Error{
                .what = fmt::format("has frames up to {} only: there is nothing to make again from frame {} on", newest,
                                    *settings_.from),
                .remedy = "choose an earlier frame with --from, or go on with --resume",
                .where = {.file = folder_.path().string()}};
        // The scene's file may have another name by now; the run keeps its own.
        manifest_.name = there.value().name;
        manifest_.products = there.value().products;
        // Until the run ends again they do not match their files.
        std::erase_if(manifest_.products, [](const FileRecord& file) { return file.path.starts_with(kProbeFolder); });
        folder_ = OutputFolder(folder_.path(), manifest_.name);
        auto resumed = load_checkpoint(simulation_, folder_, there.value(), settings_.from);
        if (!resumed) return std::move(resumed).errors();
        progress_ = resumed.value().progress;
        checkpoint_ = resumed.value().checkpoint;

        // Frames after the checkpoint are made again, and so are checkpoints.
        there_ = std::move(there.value().frames);
        const bool is_all_there = !settings_.from && progress_.frame >= settings_.last_frame;
        for (const FrameRecord& frame : there_)
            if (is_all_there || frame.frame <= progress_.frame) manifest_.frames.push_back(frame);
        if (is_all_there) there_.clear();
        if (!settings_.from) warn_of_missing_files(folder_.path(), manifest_.frames);
        folder_.remove_checkpoints_after(progress_.frame, progress_.steps);
        return progress_.frame < 0 ? probes_.begin() : probes_.resume(resumed.value().probes);
    }

    // ——— Frames ———

    Result<void> guarded_frames() {
        try {
            return frames();
        } catch (const std::bad_alloc& e) {
            return fail(fmt::format("frame {}: {}", progress_.frame + 1, e.what()));
        }
    }

    Result<void> frames() {
        if (settings_.from && progress_.frame >= 0)
            if (auto again = write_files_again(manifest_.frames.back()); !again) return again;
        if (progress_.frame < 0) {
            progress_.frame = 0;
            if (auto measured = measure_probes({}); !measured) return measured;
            if (auto first = complete_frame(0, simulation_.show(0)); !first) return first;
        }
        while (progress_.frame < settings_.last_frame && outcome_.status == RunStatus::finished) {
            if (stop_wanted()) return stop();
            if (auto made = next_frame(); !made) return made;
        }
        if (outcome_.status != RunStatus::finished) return {};
        // A run that goes on may end before it did: no file of a frame that is not listed stays.
        remove_files_after(folder_.path(), there_, progress_.frame);
        const bool wants_film = settings_.film && (outcome_.frames_made > 0 || !has_film());
        if (wants_film && observer_.stage_begins) observer_.stage_begins("making the film");
        if (auto made = wants_film ? make_film(folder_.path(), manifest_, settings_.film_fps) : Result<void>{}; !made)
            return fail(
                fmt::format("all frames are there, but no film could be made of their pictures; once its cause is "
                            "removed: spindrift film {}\n{}",
                            folder_.path().string(), made.errors().text()));
        return end(RunStatus::finished, "");
    }

    Result<void> next_frame() {
        const int frame = progress_.frame + 1;
        const double end_time = frame / settings_.fps;
        Profile profile;
        StepReport report;
        {
            const CurrentProfile current(profile);
            while (const std::optional<StepChoice> choice = step_towards(end_time)) {
                const Clock::time_point start = Clock::now();
                const double started = simulation_.time();
                if (!(choice->steps_left + progress_.steps <= settings_.max_substeps))
                    return fail(too_many_steps(frame, *choice));
                const StepOutcome step = take_step(simulation_, choice->dt);
                if (!step.failure.empty())
                    return fail(fmt::format("a step of frame {}, from t = {:.4g} s on, failed {}", frame, started,
                                            step.failure));
                report = step.report;
                if (auto logged = note_step(frame, report, step.halvings, seconds_since(start)); !logged) return logged;
                if (stop_wanted() && step_towards(end_time)) return stop();
            }
            if (simulation_.shows_between_steps()) {
                const Clock::time_point start = Clock::now();
                report = simulation_.show(end_time);
                progress_.seconds += seconds_since(start);
            }
        }
        progress_.frame = frame;
        return complete_frame(frame, report, &profile);
    }

    std::optional<StepChoice> step_towards(double frame_time) const {
        return spindrift::step_towards(simulation_, frame_time, settings_.fps, settings_.min_substeps);
    }

    std::string too_many_steps(int frame, const StepChoice& choice) const {
        const bool is_limited =
            simulation_.stable_dt() < longest_step(simulation_, settings_.fps, settings_.min_substeps);
        return too_many_steps_text(frame, choice, progress_.steps, settings_.max_substeps,
                                   is_limited ? simulation_.step_limit() : "time.min_substeps");
    }

    Result<void> note_step(int frame, const StepReport& report, int halvings, double seconds) {
        progress_.steps += 1;
        progress_.retries += halvings;
        progress_.unconverged += report.pressure.converged ? 0 : 1;
        accumulate(progress_.report, report);
        progress_.seconds += seconds;
        const StepRecord record{.frame = frame,
                                .step = progress_.steps,
                                .time = simulation_.time(),
                                .halvings = halvings,
                                .seconds = seconds,
                                .report = report,
                                .has_volume = simulation_.has_volume(),
                                .amounts = simulation_.amounts()};
        if (observer_.step_done) observer_.step_done(record);
        if (auto measured = measure_probes(report); !measured) return measured;
        return log_->add(record);
    }

    // Probes see all fields at one time, the end of the step, and what it reports.
    Result<void> measure_probes(const StepReport& step) {
        if (probes_.empty()) return {};
        if (const StepReport shown = simulation_.show(simulation_.time()); !shown.failure.empty())
            return fail(not_shown(progress_.frame + 1, shown));
        return probes_.add(simulation_, step);
    }

    // Files, manifest, checkpoint, in this order: a checkpoint's frames are always listed.
    Result<void> complete_frame(int frame, const StepReport& report, const Profile* profile = nullptr) {
        if (!report.failure.empty()) return fail(not_shown(frame, report));
        if (observer_.frame_shown) observer_.frame_shown(simulation_);
        const Clock::time_point start = Clock::now();
        FrameRecord record = record_of(frame, report);
        if (profile != nullptr)
            for (const Profile::Row& row : profile->rows())
                if (row.depth == 0) record.stages.emplace_back(row.name, row.seconds);
        if (frame >= settings_.first_frame) {
            if (observer_.stage_begins) observer_.stage_begins("writing files");
            if (auto written = write_files(record); !written) return written;
        }
        record.seconds += seconds_since(start);
        record.rss_mib = resident_mib();

        compare_with_before(record);
        manifest_.frames.push_back(record);
        if (auto written = write_manifest(folder_.path(), manifest_); !written) {
            manifest_.frames.pop_back();  // a frame that is not listed is not complete
            return written;
        }
        const FrameProgress done = std::exchange(progress_, FrameProgress{.frame = frame});
        if (auto logged = log_->add(record); !logged) return logged;
        ++outcome_.frames_made;
        if (observer_.frame_done) observer_.frame_done(record);
        if (checkpoint_is_due(frame))
            if (auto saved = save_checkpoint(); !saved) return saved;
        return judge(done, record);
    }

    static std::string not_shown(int frame, const StepReport& report) {
        return fmt::format("frame {} could not be brought to its time: {}", frame, report.failure);
    }

    FrameRecord record_of(int frame, const StepReport& shown) const {
        return {.frame = frame,
                .time = frame / settings_.fps,
                .steps = progress_.steps,
                .retries = progress_.retries,
                .seconds = progress_.seconds,
                .particles = simulation_.particle_count(),
                .has_volume = simulation_.has_volume(),
                .report = frame_report(progress_.report, shown),
                .unconverged = progress_.unconverged,
                .state_hash = state_hash(simulation_),
                .amounts = simulation_.amounts()};
    }

    Result<void> write_files(FrameRecord& record) const {
        const FrameStamp stamp{.frame = record.frame,
                               .time = record.time,
                               .fps = settings_.fps,
                               .scene_hash = manifest_.identity.scene_hash,
                               .state_hash = record.state_hash};
        return write_frame_files(folder_, simulation_.outputs(), stamp, record);
    }

    // The checkpoint's own frame may be what --from is to repair.
    Result<void> write_files_again(FrameRecord& record) {
        record.files.clear();
        record.stages.clear();
        if (const StepReport shown = simulation_.show(record.time); !shown.failure.empty())
            return fail(not_shown(record.frame, shown));
        if (record.frame >= settings_.first_frame)
            if (auto written = write_files(record); !written) return written;
        return write_manifest(folder_.path(), manifest_);
    }

    // A resumed run makes some frames again.
    void compare_with_before(const FrameRecord& record) const {
        for (const FrameRecord& before : there_)
            if (before.frame == record.frame && before.state_hash != record.state_hash)
                log_warning("frame {} came out differently than before; all frames from here on are made anew",
                            record.frame);
    }

    // Numerics that fell short: warnings, and with --strict the end.
    Result<void> judge(const FrameProgress& done, const FrameRecord& record) {
        const std::vector<std::string> faults = faults_.found(done, record, settings_.plausible_speed);
        for (const std::string& fault : faults) log_warning("frame {}: {}", record.frame, fault);
        if (settings_.strict && !faults.empty())
            return fail(fmt::format("frame {}: {} (--strict)", record.frame, faults.front()));
        return {};
    }

    // ——— Checkpoints and ends ———

    bool checkpoint_is_due(int frame) const {
        if (frame == 0) return false;
        if (frame == settings_.last_frame) return settings_.checkpoint_every > 0;
        return settings_.checkpoint_every > 0 && (frame % settings_.checkpoint_every == 0 ||
                                                  seconds_since(checkpoint_time_) > settings_.checkpoint_after_seconds);
    }

    Result<void> save_checkpoint() {
        if (auto made = folder_.make_inside("checkpoints"); !made) return made;
        const std::filesystem::path file = folder_.checkpoint_path(progress_.frame, progress_.steps);
        auto saved =
            write_run_checkpoint(file, simulation_, progress_, probes_.snapshot(), manifest_.identity.scene_hash);
        if (!saved) return saved;
        checkpoint_time_ = Clock::now();
        folder_.remove_old_checkpoints(settings_.keep_checkpoints);
        return log_->event("checkpoint", fmt::format("\"frame\":{},\"steps\":{}", progress_.frame, progress_.steps));
    }

    bool stop_wanted() const { return observer_.stop_wanted && observer_.stop_wanted(); }

    Result<void> stop() {
        const auto newest = folder_.checkpoints();
        const bool is_saved =
            !newest.empty() && newest[0].frame == progress_.frame && newest[0].steps == progress_.steps;
        if (!is_saved)
            if (auto saved = save_checkpoint(); !saved) return saved;
        return end(RunStatus::stopped, "");
    }

    bool has_film() const {
        return std::any_of(manifest_.products.begin(), manifest_.products.end(),
                           [](const FileRecord& file) { return file.path.ends_with(".mp4"); });
    }

    // The files of probes are whole when the run ends.
    Result<void> list_probes() {
        std::erase_if(manifest_.products, [](const FileRecord& file) { return file.path.starts_with(kProbeFolder); });
        for (const std::string& file : probes_.files()) {
            const auto checksum = file_checksum(folder_.path() / file);
            if (!checksum) return checksum.errors();
            manifest_.products.push_back({file, checksum.value()});
        }
        return {};
    }

    Result<void> fail(const std::string& failure) { return end(RunStatus::failed, failure); }

    Result<void> end(RunStatus status, const std::string& failure) {
        outcome_.status = manifest_.status = status;
        outcome_.failure = manifest_.failure = failure;
        if (auto listed = list_probes(); !listed) return listed;
        if (auto written = write_manifest(folder_.path(), manifest_); !written) return written;
        // It can be made again from the folder at any time.
        if (auto told = write_report(folder_.path(), manifest_); !told)
            log_warning("there is no report:\n{}", told.errors().text());
        return log_->event("end", fmt::format("\"status\":\"{}\"", name(status)));
    }

    // For a check that fails: this is our mistake, and can be replayed.
    std::string where_it_is() const {
        return fmt::format("in frame {}, step {} of {}; to replay: the same command with --resume -o {}",
                           progress_.frame + 1, progress_.steps + 1, manifest_.scene_file, folder_.path().string());
    }

    // Says how to go on.
    Errors leave_note(Errors errors) const {
        const std::string kept = manifest_.frames.empty()
                                     ? "no frame is complete"
                                     : fmt::format("frames up to {} are complete", manifest_.frames.back().frame);
        errors.add({.what = "the run stops here; " + kept,
                    .remedy = "when the cause is gone, the same command with --resume goes on",
                    .where = {.file = folder_.path().string()}});
        return errors;
    }

    Simulation& simulation_;
    Manifest manifest_;
    const RunSettings& settings_;
    const RunObserver& observer_;
    OutputFolder folder_;
    ProbeLog probes_;
    std::function<std::string()> context_before_;
    std::optional<FolderLock> lock_{};
    std::optional<RunLog> log_{};
    std::vector<FrameRecord> there_{};  // frames of the run that is resumed
    std::filesystem::path checkpoint_{};
    FrameProgress progress_{.frame = -1};
    Clock::time_point checkpoint_time_ = Clock::now();
    RunOutcome outcome_{};
    FrameFaults faults_{};
};

}  // namespace

Result<RunOutcome> run(Simulation& simulation, Manifest manifest, const RunSettings& settings,
                       const RunObserver& observer) {
    return Runner(simulation, std::move(manifest), settings, observer).run();
}

}  // namespace spindrift
