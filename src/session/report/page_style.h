// SPDX-License-Identifier: Apache-2.0
// How the report looks, and what its plots do under the pointer.  The page works without the script.
#pragma once

namespace spindrift {

// The eight colours of stages keep their distance for colour-blind eyes, on light and on dark ground.
constexpr const char* kPageStyle = R"css(
:root { color-scheme: light dark; --ground: #f7f7f5; --card: #fff; --line: #e2e2dd; --ink: #1d1f21; --soft: #62666b;
  --good: #1a7f4b; --bad: #b3261e; --warm: #8a5a00;
  --s0: #2a78d6; --s1: #1baf7a; --s2: #eda100; --s3: #008300; --s4: #4a3aa7; --s5: #e34948; --s6: #e87ba4;
  --s7: #eb6834; --s8: #8a8f94; }
@media (prefers-color-scheme: dark) { :root { --ground: #141618; --card: #1c1f22; --line: #33373b; --ink: #e8e9ea;
  --soft: #9aa0a6; --good: #5fce92; --bad: #ff8a80; --warm: #f0c060;
  --s0: #5b9df0; --s1: #2fbf8c; --s2: #d99a1c; --s3: #4caf50; --s4: #9085e9; --s5: #e66767; --s6: #d9659a;
  --s7: #e0703c; --s8: #7d8389; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 4px; letter-spacing: -.01em; }
h2 { font-size: 18px; margin: 36px 0 12px; }
p { margin: 4px 0; max-width: 75ch; }
a { color: var(--s0); }
.soft, figcaption span, th { color: var(--soft); }
.badge { display: inline-block; vertical-align: 5px; margin-left: 10px; padding: 0 10px; border-radius: 999px;
  border: 1px solid currentColor; font-size: 13px; font-weight: 600; letter-spacing: 0; }
.finished { color: var(--good); } .failed { color: var(--bad); } .stopped, .interrupted, .running { color: var(--warm); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 20px 0 0;
  padding: 0; list-style: none; }
.figures li, figure, .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.figures li { padding: 10px 14px; }
.figures b { display: block; font-size: 22px; line-height: 1.3; font-variant-numeric: tabular-nums; }
.figures span { color: var(--soft); font-size: 13px; }
.card { padding: 14px 16px; overflow-x: auto; }
video { display: block; width: 100%; border-radius: 10px; background: #000; }
.strip { display: grid; grid-template-columns: repeat(auto-fit, minmax(160px, 1fr)); gap: 8px; margin-top: 8px; }
.strip figure { border: 0; background: none; padding: 0; }
.strip img { display: block; width: 100%; height: auto; border-radius: 6px; }
.strip figcaption { color: var(--soft); font-size: 13px; padding: 2px 0; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); gap: 12px; }
figure { margin: 0; padding: 10px 12px 6px; }
figcaption { display: flex; gap: 8px; align-items: baseline; font-size: 14px; }
output { margin-left: auto; color: var(--soft); font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; height: auto; cursor: crosshair; }
svg text { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
svg .y { text-anchor: end; } svg .x { text-anchor: middle; }
.grid { stroke: var(--line); } .grid.zero { stroke: var(--soft); }
.line { fill: none; stroke: var(--s0); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.area { stroke: var(--card); stroke-width: .5; }
.cursor { stroke: var(--soft); visibility: hidden; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 2px 0 4px; padding: 0; list-style: none;
  font-size: 13px; color: var(--soft); }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px; }
.s0 { fill: var(--s0); background: var(--s0); } .s1 { fill: var(--s1); background: var(--s1); }
.s2 { fill: var(--s2); background: var(--s2); } .s3 { fill: var(--s3); background: var(--s3); }
.s4 { fill: var(--s4); background: var(--s4); } .s5 { fill: var(--s5); background: var(--s5); }
.s6 { fill: var(--s6); background: var(--s6); } .s7 { fill: var(--s7); background: var(--s7); }
.s8 { fill: var(--s8); background: var(--s8); } path.line { fill: none; }
table { border-collapse: collapse; font-size: 14px; }
th, td { text-align: left; font-weight: 400; padding: 3px 20px 3px 0; vertical-align: top; overflow-wrap: anywhere; }
th { white-space: nowrap; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { min-width: 160px; width: 40%; } .bar i { display: block; height: 10px; margin-top: 6px; border-radius: 3px; }
pre { margin: 0; font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; }
.notices { margin: 0; padding: 0 0 0 18px; } .notices pre { display: inline; font: inherit; }
@media print { body { background: none; } .plots { grid-template-columns: 1fr 1fr; } }
)css";

// One pointer for all plots: it reads the values of a frame in each, and a click shows that frame in the film.
constexpr const char* kPageScript = R"js(
const left = 58, right = 500, width = 520;
const film = document.querySelector("video");
const plots = [...document.querySelectorAll("svg.plot")].map(svg => ({svg, output: svg.parentNode.querySelector("output"),
  cursor: svg.querySelector(".cursor"), values: svg.dataset.values.split(",")}));
const first = times[0], span = times[times.length - 1] - first || 1;
function frame_at(svg, event) {
  const box = svg.getBoundingClientRect();
  const time = first + ((event.clientX - box.left) / box.width * width - left) / (right - left) * span;
  let best = 0;
  times.forEach((t, i) => { if (Math.abs(t - time) < Math.abs(times[best] - time)) best = i; });
  return best;
}
function show(i) {
  for (const {output, cursor, values} of plots) {
    output.textContent = i === null ? "" : `${values[i]}  at ${times[i].toFixed(2)} s`;
    cursor.style.visibility = i === null ? "hidden" : "visible";
    if (i !== null) { const x = left + (times[i] - first) / span * (right - left);
      cursor.setAttribute("x1", x); cursor.setAttribute("x2", x); }
  }
}
for (const {svg} of plots) {
  svg.addEventListener("pointermove", event => show(frame_at(svg, event)));
  svg.addEventListener("pointerleave", () => show(null));
  svg.addEventListener("click", event => {
    if (film) { film.pause(); film.currentTime = frame_at(svg, event) / fps + 1e-3; } });
}
)js";

}  // namespace spindrift
