// The report: from the data in this page to its sections. What a run does not have is left out.
'use strict';

// For tests: what went wrong, and that all is drawn, stand in attributes of the page.
window.addEventListener('error', (event) => {
  const root = document.documentElement;
  root.dataset.errors = `${root.dataset.errors || ''}${event.message}\n`;
});

(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const runs =
      data.runs.map((run, i) => ({...run, colour: `var(--run${i % 6})`, dash: i < 6 ? null : '5 3'}));
  const truth = data.truth;
  const several = runs.length > 1;
  const cursor = new Shared(null);   // the moment under the pointer [s]
  const stretch = new Shared(null);  // the stretch of time that is shown
  const plots = [];

  const main = document.getElementById('report');
  const second = data.timed ? 's' : 'scan';
  const timeAxis =
      data.timed ? {label: 'time [s]', decimals: 1, unit: ' s'} : {label: 'scan', decimals: 0, unit: ''};
  const truthColour = 'var(--truth)';

  function plot(options) {
    const made = new Plot({cursor, ...options});
    plots.push(made);
    return made.figure;
  }
  function section(id, title, lead, ...parts) {
    main.append(html(
        'section', {id, 'aria-labelledby': `${id}-title`}, html('h2', {id: `${id}-title`}, title),
        lead && html('p', {class: 'lead'}, lead), ...parts));
  }
  const grid = (...figures) => html('div', {class: 'plots'}, ...figures);
  const wide = (...figures) => html('div', {class: 'plots wide'}, ...figures);
  const swatch = (colour) => html('span', {class: 'swatch', style: `--colour:${colour}`});
  const over = (run, values) => ({
    name: several ? run.name : 'estimate',
    colour: run.colour,
    dash: run.dash,
    x: run.t,
    t: run.t,
    y: values
  });
  const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

  // ---- Headline: what one asks first.

  // [what, its value, unit, decimals, whether less or more is better]
  const keyFigures = [
    ['translation drift', (run) => run.kitti && run.kitti.translation, '%', 2, -1],
    ['rotation drift', (run) => run.kitti && run.kitti.rotation, '°/km', 2, -1],
    ['absolute error (ATE)', (run) => run.ate, 'm', 2, -1],
    ['distance', (run) => run.distance, 'm', 0, 0],
    [data.timed ? 'scans' : 'poses', (run) => run.scans, '', 0, 0],
    ['scans a second', (run) => run.hz, 'Hz', 0, 1],
  ].filter(([, value]) => runs.some((run) => value(run) !== null));

  // As shown: what looks the same is as good.
  function isBest(run, value, better, decimals) {
    const values = runs.map(value).filter((v) => v !== null);
    const best = better < 0 ? Math.min(...values) : Math.max(...values);
    return values.length > 1 && better !== 0 && shown(value(run), decimals) === shown(best, decimals);
  }
  function figuresOf(run) {
    return html(
        'div', {class: 'run'}, html('div', {class: 'name'}, swatch(run.colour), run.name),
        ...keyFigures.map(
            ([what, value, unit, decimals, better]) => html(
                'div', {class: 'figure'},
                html(
                    'b', {},
                    html(
                        'i',
                        isBest(run, value, better, decimals) ? {class: 'best', title: 'best of these runs'} :
                                                               {},
                        shown(value(run), decimals)),
                    unit && html('small', {}, unit)),
                html('span', {}, what))));
  }
  function warnings() {
    return runs.flatMap((run) => {
      const parts = [];
      if (run.bridged.length)
        parts.push(`${plural(run.bridged.length, 'scan')} did not match and ${
            run.bridged.length === 1 ? 'was' : 'were'} bridged by prediction`);
      if (run.unreliable.length)
        parts.push(`${plural(run.unreliable.length, 'increment')} ${
            run.unreliable.length === 1 ? 'is' : 'are'} not reliable`);
      if (run.summary.interrupted) parts.push('the run was interrupted: this is the part before');
      return parts.length ?
          [html('p', {class: 'warning'}, `${several ? `${run.name}: ` : ''}${parts.join('; ')}.`)] :
                                                      [];
    });
  }
  function headline() {
    const notes = [
      truth ? null : 'No ground truth, so no errors.',
      truth && runs.every((run) => !run.kitti) ? 'Too short for a KITTI score, which needs 100 m.' : null
    ].filter(Boolean);
    document.getElementById('head').append(
        html('p', {class: 'eyebrow'}, 'f-mbym report'), html('h1', {}, data.title),
        notes.length ? html('p', {class: 'subtitle'}, notes.join(' ')) : '',
        html(
            'div', {class: `figures${several ? ' several' : ''}`, style: `--columns:${keyFigures.length}`},
            ...runs.map(figuresOf)),
        ...warnings());
    document.getElementById('foot').append(
        `Made by f-mbym ${data.version}. This page is one file and loads nothing from elsewhere.`);
  }

  // ---- Trajectory. Forward is up, right is right, as the vehicle stood at the start.

  // What all of them did at the moment that is pointed at.
  function tip(t) {
    const speed = (path, i) => `${shown(path.speed[i], 2)} m/${second}`;
    const line = (run) => {
      const i = nearest(run.t, t);
      return `${several ? `${run.name}: ` : ''}${speed(run, i)}${
          truth ? `, error ${shown(run.error[i], 2)} m and ${shown(run.yaw_error[i], 2)}°` : ''}`;
    };
    return [
      `${data.timed ? `${shown(t, 1)} s · ` : ''}scan ${nearest(runs[0].t, t)}`, ...runs.map(line),
      ...(truth ? [`ground truth: ${speed(truth, nearest(truth.t, t))}`] : [])
    ];
  }
  function trajectory() {
    const series = runs.map((run) => ({...over(run), x: run.y, y: run.x, width: 2}));
    if (truth)
      series.unshift(
          {name: 'ground truth', colour: truthColour, x: truth.y, y: truth.x, t: truth.t, width: 4.5});
    const ends = runs.map((run) => ({
                            x: run.y[run.y.length - 1],
                            y: run.x[run.x.length - 1],
                            colour: run.colour,
                            text: `end of ${run.name}`
                          }));
    ends.push({x: series[0].x[0], y: series[0].y[0], colour: 'var(--ink)', text: 'start'});
    const flags = runs.flatMap(
        (run) => [...run.bridged.map((i) => [i, 'bridged']),
                  ...run.unreliable.map((i) => [i, 'not reliable'])]
                     .map(([i,
                            what]) => ({x: run.y[i], y: run.x[i], text: `${run.name}, scan ${i}: ${what}`})));
    section(
        'trajectory', 'Trajectory',
        truth ?
            'The estimated path over the true one, seen from above, with the first poses made to coincide: the gap that opens is the drift.' :
            'The estimated path, seen from above.',
        wide(plot({
          label: 'Map of the estimated and the true path',
          equal: true,
          height: 0.5,
          series,
          ends,
          flags,
          tip,
          x: {label: 'right of the start [m]', decimals: 1},
          y: {label: 'ahead of the start [m]', decimals: 1}
        })),
        html(
            'p', {class: 'hint'},
            `Point at a path for time${
                truth ?
                    ', speed and error' :
                    ' and speed'}. Drag to move; buttons, + and −, or Ctrl and the wheel to zoom; double-click to see all. A ring marks the start and each end${
                flags.length ? ', a cross a scan that was not matched well' : ''}.`));
  }

  // ---- Errors

  function errors() {
    if (!truth) return;
    const scored = runs.filter((run) => run.kitti), parts = [];
    const byLength = (title, member, unit) => plot({
      title,
      cursor: undefined,
      x: {label: 'segment length [m]', decimals: 0, unit: ' m'},
      y: {label: unit, decimals: 2, unit: ` ${unit}`, fromZero: true},
      label: `${title} by segment length`,
      series: scored.map((run) => ({
                           ...over(run),
                           t: undefined,
                           dots: 'too',
                           width: 2,
                           x: run.kitti.by_length.map((e) => e.length),
                           y: run.kitti.by_length.map((e) => e[member])
                         }))
    });
    const along = (title, member, unit) => plot({
      title,
      x: {label: 'start of the segment along the true path [m]', decimals: 0, unit: ' m'},
      y: {label: unit, decimals: 2, unit: ` ${unit}`, fromZero: true},
      label: title,
      series: scored.filter((run) => run.segments)
                  .map(
                      (run) =>
                          ({...over(run), x: run.segments.start, t: run.segments.t, y: run.segments[member]}))
    });
    if (scored.length)
      parts.push(
          grid(
              byLength('Translation error by segment length', 'translation', '%'),
              byLength('Rotation error by segment length', 'rotation', '°/km')),
          grid(
              along('Translation error of 100 m segments', 'translation', '%'),
              along('Rotation error of 100 m segments', 'rotation', '°/km')));
    parts.push(grid(
        plot({
          title: 'Distance from the true position',
          stretch,
          x: timeAxis,
          y: {label: 'm', decimals: 2, unit: ' m', fromZero: true},
          series: runs.map((run) => over(run, run.error))
        }),
        plot({
          title: 'Error of heading',
          stretch,
          x: timeAxis,
          y: {label: '°, clockwise', decimals: 2, unit: '°'},
          rules: [0],
          series: runs.map((run) => over(run, run.yaw_error))
        })));
    section(
        'errors', 'Errors',
        scored.length ?
            'The KITTI metric: how far an estimate is off after a stretch of so many metres, as a share of that length. Below, the same for every stretch of 100 m by where it starts, and the error as it adds up from the start.' :
            'How the error adds up from the start.',
        ...parts);
  }

  // ---- Speed and yaw rate

  function motion() {
    const both = (member) =>
        [...(truth ? [{
           name: 'ground truth',
           colour: truthColour,
           x: truth.t,
           t: truth.t,
           y: truth[member],
           width: 3.5
         }] :
                     []),
         ...runs.map((run) => ({...over(run, run[member]), width: 1.3}))];
    section(
        'motion', 'Motion',
        `Speed and yaw rate from one ${data.timed ? 'scan' : 'pose'} to the next${
            truth ? ', over the true ones' : ''}.`,
        grid(
            plot({
              title: 'Speed',
              stretch,
              x: timeAxis,
              y: {label: `m/${second}`, decimals: 2, unit: ` m/${second}`, fromZero: true},
              series: both('speed')
            }),
            plot({
              title: 'Yaw rate',
              stretch,
              x: timeAxis,
              y: {label: `°/${second}, clockwise`, decimals: 2, unit: ` °/${second}`},
              rules: [0],
              series: both('yaw_rate')
            })),
        html(
            'p', {class: 'hint'},
            'Drag across a plot over time to enlarge that stretch in all of them; double-click or Esc to see all. Arrow keys move the cursor of the plot that has the focus.'));
  }

  // ---- Covariance

  // Each row is [what its heading is made of, its values].
  const numberTable = (corner, columns, rows) => {
    const numbers = (kind, values) => values.map((value) => html(kind, {class: 'number'}, value));
    return html(
        'div', {class: 'scroll'},
        html(
            'table', {}, html('thead', {}, html('tr', {}, html('th', {}, corner), ...numbers('th', columns))),
            html(
                'tbody', {},
                ...rows.map(
                    ([heading, values]) => html('tr', {}, html('th', {}, ...heading), ...numbers('td', values))))));
  };
  function shareTable(known) {
    const expected = [0.683, 0.954, 0.997], axes = [['x', 'forward'], ['y', 'right'], ['yaw', 'yaw']];
    const percent = (share) => `${shown(100 * share, 1)} %`;
    return numberTable('errors within', ['1 σ', '2 σ', '3 σ'], [
      [['if the covariance is right'], expected.map(percent)],
      ...known.flatMap(
          (run) => axes.map(
              ([axis, name]) =>
                  [[swatch(run.colour), several ? `${run.name}, ${name}` : name],
                   run.normalised[axis].within.map(percent)]))
    ]);
  }
  function covariance() {
    const known = runs.filter((run) => run.normalised);
    if (!known.length) return;
    const of = (axis, title) => plot({
      title,
      stretch,
      x: timeAxis,
      y: {label: 'error / σ', decimals: 2, unit: ' σ', range: [-5, 5]},
      bands: [[-1, 1], [-2, 2], [-3, 3]],
      rules: [0],
      height: 190,
      label: `${title} over its standard deviation`,
      series: known.map((run) => ({...over(run, run.normalised[axis].error), dots: 'only'}))
    });
    const squares =
        known.map((run) => `${several ? `${run.name} ` : ''}${shown(run.normalised.mean_square, 2)}`)
            .join(', ');
    section(
        'covariance', 'Covariance against actual error',
        'The error of each motion from scan to scan, in standard deviations that odometry gave for it. Most dots belong in the darkest band; many outside mean that it is too sure of itself, none near its edge that it is too careful. Dots beyond ±5 are drawn on the edge.',
        grid(
            of('x', 'Forward'), of('y', 'Right'), of('yaw', 'Yaw'),
            html(
                'div', {}, shareTable(known),
                html(
                    'p', {class: 'remark'},
                    `Mean squared error over covariance, correlations included: ${
                        squares}. 1 is right, more is too sure, less too careful.`))));
  }

  // ---- Time

  const stageNames = ['decode', 'image', 'mask', 'match'];
  function timing() {
    const timed = runs.filter((run) => run.stages);
    if (!timed.length) return;
    const used = stageNames.map((name, i) => ({name, colour: `var(--stage${i})`}))
                     .filter(({name}) => timed.some((run) => run.stages[name].p95 > 0));
    const sum = (run) => used.reduce((total, {name}) => total + run.stages[name].median, 0);
    const longest = Math.max(...timed.map(sum));
    const bars = html(
        'div', {class: 'stagebars'},
        ...timed.map(
            (run) => html(
                'div', {class: 'stagebar'},
                html(
                    'div', {class: 'legend'}, several && html('b', {}, swatch(run.colour), run.name),
                    ...used.filter(({name}) => run.stages[name].p95 > 0)
                        .map(
                            ({name, colour}) => html(
                                'span', {style: `--colour:${colour}`}, html('i'), name,
                                html('output', {}, `${shown(run.stages[name].median, 2)} ms`)))),
                html(
                    'div', {
                      class: 'track',
                      role: 'img',
                      'aria-label': `median time a scan: ${
                          used.map(({name}) => `${name} ${shown(run.stages[name].median, 2)} ms`).join(', ')}`
                    },
                    ...used.map(
                        ({name, colour}) => html('div', {
                          style: `--colour:${colour};width:${100 * run.stages[name].median / longest}%`
                        }))))));
    const stages = [...used.map(({name}) => name), 'total'];
    const table = numberTable(
        'ms a scan', stages,
        timed.flatMap(
            (run) => [['median', 'median'], ['p95', '95 %']].map(
                ([quantile, label]) =>
                    [[several ? `${run.name}, ${label}` : label],
                     stages.map((name) => shown(run.stages[name][quantile], 2))])));
    section(
        'time', 'Time',
        'What each stage took, as the median over all scans, and the sum for every scan. Decoding runs beside the rest where there is more than one thread.',
        bars, grid(table, plot({
                     title: 'Time of all stages',
                     stretch,
                     x: timeAxis,
                     y: {label: 'ms a scan', decimals: 2, unit: ' ms', fromZero: true},
                     series: timed.map((run) => ({...over(run, run.stages.each), width: 1}))
                   })));
  }

  // ---- Sample scans

  const scaleNote = (reach, more = '') =>
      html('span', {class: 'scale'}, `${shown(2 * reach, 0)} m across${more}`);
  function picture(title, source, kind, alt, ...more) {
    return html(
        'div', {class: 'panel'}, html('h4', {}, title),
        html('div', {class: `picture ${kind}`}, html('img', {src: source, alt}), ...more));
  }
  function surfacePanel({scores, reach, shift, low, high}) {
    const x = 50 * (1 + shift[1] / reach), y = 50 * (1 - shift[0] / reach);
    const cross = (name) => svg('path', {class: name, d: `M${x - 4} ${y}h8M${x} ${y - 4}v8`});
    return picture(
        'Translation correlation', scores, 'values', 'Correlation over shifts forward and to the right',
        svg('svg', {viewBox: '0 0 100 100', 'aria-hidden': 'true'}, cross('halo'), cross('cross')),
        scaleNote(reach, `, ${shown(low, 2)} to ${shown(high, 2)}`));
  }
  function rotationPanel({yaw, score}) {
    const made = new Plot({
      cursor: undefined,
      height: 'square',
      label: 'Correlation over rotations',
      x: {label: 'rotation [°]', decimals: 2, unit: '°'},
      y: {label: 'correlation', decimals: 3},
      series: [{colour: 'var(--ink)', x: yaw, y: score, width: 1.4}]
    });
    return [
      html(
          'div', {class: 'panel'}, html('h4', {}, 'Rotation correlation'),
          html('div', {class: 'rotation'}, made.figure)),
      made
    ];
  }
  function captionOf(run, frame) {
    const m = frame.motion, sigma = (i) => (m.sigma ? ` ± ${shown(m.sigma[i], 3)}` : '');
    return html(
        'p', {class: 'caption'}, several && html('b', {}, swatch(run.colour), `${run.name}: `),
        ...(m ?
                [
                  `${shown(m.x, 3)}${sigma(0)} m forward, ${shown(m.y, 3)}${sigma(1)} m right, ${
                      shown(m.yaw, 3)}${sigma(2)}° clockwise`,
                  m.correlation !== undefined ? `; correlation ${shown(m.correlation, 2)}` : '',
                  m.bridged                ? html('span', {class: 'alarm'}, ' · bridged by prediction') :
                      m.reliable === false ? html('span', {class: 'alarm'}, ' · not reliable') :
                                             ''
                ] :
                []));
  }
  function sampleOf(run, frame) {
    const panels = [];
    const add = (title, source, kind, alt) =>
        source && panels.push(picture(title, source, kind, alt, scaleNote(frame.reach)));
    add('Current scan', frame.current, '', 'Current scan, forward up');
    add('What it was matched with', frame.reference, '', 'Previous scan or map, forward up');
    if (frame.surface.scores) panels.push(surfacePanel(frame.surface));
    const [panel, made] = frame.rotation.yaw.length > 1 ? rotationPanel(frame.rotation) : [null, null];
    if (panel) panels.push(panel);
    add('Mask of the current scan', frame.current_mask, 'values', 'Mask: bright keeps, dark hides');
    add('Mask of the other', frame.reference_mask, 'values', 'Mask: bright keeps, dark hides');
    return {
      part: html(
          'div', {class: 'sample'}, captionOf(run, frame),
          html('div', {class: `panels ${several ? 'beside' : `of${panels.length}`}`}, ...panels)),
      made
    };
  }
  function samples() {
    const sampled = runs.filter((run) => run.frames.length);
    if (!sampled.length) return;
    const count = Math.max(...sampled.map((run) => run.frames.length));
    const slider = html('input', {
      type: 'range',
      min: 0,
      max: count - 1,
      step: 1,
      value: Math.floor(count / 2),
      id: 'sample',
      'aria-label': 'Sample scan'
    });
    const where = html('output', { for: 'sample'
    });
    const stage = html('div', {'aria-live': 'polite'});
    function show(place) {
      const shownRuns = sampled.map((run) => [run, run.frames[Math.min(place, run.frames.length - 1)]]);
      const parts = shownRuns.map(([run, frame]) => sampleOf(run, frame));
      const frame = shownRuns[0][1];
      where.textContent = `scan ${frame.scan}${data.timed ? `, ${shown(frame.t, 1)} s` : ''}`;
      slider.setAttribute('aria-valuetext', where.textContent);
      stage.replaceChildren(...parts.map(({part}) => part));
      for (const {made} of parts)
        if (made) made.start();
      return frame;
    }
    slider.addEventListener('input', () => cursor.set(show(Number(slider.value)).t));
    const step = (text, label, by) => {
      const button = html('button', {type: 'button', 'aria-label': label}, text);
      button.addEventListener('click', () => {
        slider.value = Number(slider.value) + by;
        slider.dispatchEvent(new Event('input'));
      });
      return button;
    };
    section(
        'samples', 'Sample scans',
        'What was compared with what, and why it came out as it did. Forward is up. Colours go from dark, low, to yellow, high; the cross is where the translation was read off. Where scans are matched with a map, the map is seen from the expected place, and both correlations are about that.',
        html(
            'div', {class: 'slider'}, count > 1 && step('‹', 'Previous sample', -1), count > 1 && slider,
            count > 1 && step('›', 'Next sample', 1), where),
        stage);
    show(Number(slider.value));
  }

  // ---- Configuration

  // Nested members by their names with dots.
  function flat(object, prefix = '', into = {}) {
    for (const [key, value] of Object.entries(object)) {
      if (value !== null && typeof value === 'object' && !Array.isArray(value))
        flat(value, `${prefix}${key}.`, into);
      else
        into[prefix + key] = value;
    }
    return into;
  }
  function settings(member) {
    const columns = runs.map((run) => flat(run[member]));
    const keys = [...new Set(columns.flatMap((column) => Object.keys(column)))];
    const text = (value) =>
        (value === undefined ? '' :
             value === null  ? 'none' :
             typeof value === 'string' ?
                              value :
                              JSON.stringify(
                                  value, (_, v) => (typeof v === 'number' ? Number(v.toPrecision(6)) : v)));
    return html(
        'div', {class: 'scroll'},
        html(
            'table', {class: 'settings'},
            several &&
                html(
                    'thead', {},
                    html(
                        'tr', {}, html('th', {}, ''),
                        ...runs.map((run) => html('th', {}, swatch(run.colour), run.name)))),
            html('tbody', {}, ...keys.map((key) => {
              const values = columns.map((column) => text(column[key]));
              return html(
                  'tr', {class: several && new Set(values).size > 1 ? 'differs' : null}, html('th', {}, key),
                  ...values.map((value) => html('td', {}, value)));
            }))));
  }
  function configuration() {
    const models = runs.map((run) => run.config.model).filter(Boolean);
    section(
        'configuration', 'Configuration',
        models.length ?
            `Mask model: ${
                    [...new Set(models.map((m) => `${m.file} (SHA-256 ${String(m.sha256).slice(0, 12)}…)`))]
                        .join('; ')}.` :
            null,
        data.command ? html('pre', {'aria-label': 'Command'}, data.command) : '',
        html(
            'div', {style: 'margin-top:20px'},
            html('details', {}, html('summary', {}, 'Configuration'), settings('config')),
            html('details', {}, html('summary', {}, 'Summary'), settings('summary'))));
  }

  headline();
  trajectory();
  errors();
  motion();
  covariance();
  timing();
  samples();
  configuration();
  for (const made of plots) made.start();
  // On paper everything is open, and plots have the width they get there, so that their text can be read.
  window.addEventListener('beforeprint', () => {
    for (const part of document.querySelectorAll('details')) part.open = true;
    for (const made of plots) made.draw(made.figure.closest('.wide') ? 680 : 330);
  });
  window.addEventListener('afterprint', () => {
    for (const made of plots) made.draw();
  });
  document.documentElement.dataset.ready = String(plots.length);
})();
