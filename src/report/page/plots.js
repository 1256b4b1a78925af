// Plots as SVG: lines and dots over axes, with a cursor that all plots of a page share. No more than a report
// needs: a plotting library would weigh more than all the data of a run.
'use strict';

function node(namespace, name, attributes, children) {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}
const svg = (name, attributes, ...children) => node('http://www.w3.org/2000/svg', name, attributes, children);
const html = (name, attributes, ...children) =>
    node('http://www.w3.org/1999/xhtml', name, attributes, children);

// A number as one reads it: a true minus sign, and a dash for what is not known.
function shown(value, decimals) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

// 1, 2 or 5 times a power of ten, so that at most `most` steps fill the span.
function niceStep(span, most) {
  const least = span / most;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 5, 10].find((step) => step * power >= least * 0.9999);
}

function ticks([low, high], most) {
  const step = niceStep(high - low, most);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const values = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) values.push(i * step);
  return values.map((value) => ({value, label: shown(value, decimals)}));
}

function extent(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values)
    if (value !== null) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  return low <= high ? [low, high] : [0, 1];
}

// The index of the sorted value nearest to the wanted one.
function nearest(sorted, wanted) {
  let low = 0, high = sorted.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < wanted)
      low = middle;
    else
      high = middle;
  }
  return wanted - sorted[low] <= sorted[high] - wanted ? low : high;
}

// A value that several plots share and that any of them may change: the moment under the pointer, or the
// stretch of time that is shown.
class Shared {
  constructor(value) {
    this.value = value;
    this.listeners = [];
  }
  listen(listener) { this.listeners.push(listener); }
  set(value) {
    this.value = value;
    for (const listener of this.listeners) listener(value);
  }
}

let plotsMade = 0;

// options:
//   title, label          heading, and what the plot says to who cannot see it
//   x, y                  { label, decimals, unit, range? }
//   series                [{ name, colour, x, y, t?, dots?, width?, dash? }]; t sorted, beside x and y
//   bands, rules          y values: [from, to] shaded, and dashed lines
//   flags, ends           [{ x, y, text }] crosses; [{ x, y, colour, text }] rings
//   equal                 one metre is as long in x as in y; may be dragged and zoomed
//   height                [pixel], a share of the width up to one, or "square"
//   tip                   from a moment to the lines of text beside the pointer
//   cursor, stretch       Shared moment and Shared [from, to] or null
class Plot {
  constructor(options) {
    this.options = options;
    this.series = options.series;
    this.id = `plot${++plotsMade}`;
    this.view = null;  // of an equal plot: the middle and metres a pixel
    this.outputs = this.series.map(() => html('output', {}));
    const legend = this.series.every((s) => !s.name) ?
        null :
        html(
            'div', {class: 'legend'},
            ...this.series.map(
                (s, i) => s.name &&
                    html('span', {style: `--colour:${s.colour}`}, html('i'), s.name,
                         !options.equal && this.outputs[i])),
            this.moment = options.equal ? null : html('span', {class: 'moment'}));
    this.tools = html('div', {class: 'tools'});
    this.canvas = svg(
        'svg', {class: 'canvas', role: 'img', tabindex: '0', 'aria-label': options.label || options.title});
    this.tip = html('div', {class: 'tip', hidden: ''});
    this.figure = html(
        'figure', {class: options.equal ? 'plot map' : 'plot'},
        html('div', {class: 'plothead'}, options.title && html('h3', {}, options.title), legend, this.tools),
        this.canvas, this.tip);
    if (options.equal) this.addMapTools();
    this.listen();
  }

  // Once the figure is on the page.
  start() {
    new ResizeObserver(() => {
      const width = this.figure.clientWidth;
      if (width > 0 && width !== this.width) this.draw();
    }).observe(this.figure);
    this.draw();
  }

  draw(width = this.figure.clientWidth) {
    this.width = Math.max(240, width);
    const height = this.options.height || 220;
    this.height = height === 'square' ? this.width :
        height <= 1                   ? Math.min(620, Math.max(320, Math.round(this.width * height))) :
                                        height;
    this.left = 54;
    this.right = this.width - 10;
    this.top = 8;
    this.bottom = this.height - 38;
    this.canvas.setAttribute('viewBox', `0 0 ${this.width} ${this.height}`);
    this.chooseRanges();
    this.overlay = svg('g', {});
    this.canvas.replaceChildren(
        svg('clipPath', {id: this.id},
            svg('rect',
                {x: this.left, y: this.top, width: this.right - this.left, height: this.bottom - this.top})),
        ...this.axes(), svg('g', {'clip-path': `url(#${this.id})`}, ...this.marks(), this.overlay));
    this.point();
  }

  chooseRanges() {
    const {x, y, equal, stretch} = this.options;
    if (equal) return this.chooseView();
    this.xRange = (stretch && stretch.value) || x.range ||
        extent(this.series.flatMap((s) => s.x.length ? extent(s.x) : []));
    if (this.series.some((s) => s.dots === 'too')) {  // whole ones, at the ends as well
      const room = 0.03 * (this.xRange[1] - this.xRange[0]);
      this.xRange = [this.xRange[0] - room, this.xRange[1] + room];
    }
    if (this.xRange[0] === this.xRange[1]) this.xRange = [this.xRange[0] - 0.5, this.xRange[1] + 0.5];
    if (y.range) return void (this.yRange = y.range);
    const inside = (s) => s.y.filter((_, i) => s.x[i] >= this.xRange[0] && s.x[i] <= this.xRange[1]);
    let [low, high] = extent([
      ...(this.options.rules || []), ...this.series.flatMap((s) => {
        const y = inside(s);
        return y.some((v) => v !== null) ? extent(y) : [];
      })
    ]);
    if (y.fromZero) low = Math.min(0, low);
    const room = 0.06 * (high - low || Math.abs(high) || 1);
    this.yRange = [y.fromZero && low === 0 ? 0 : low - room, high + room];
  }

  chooseView() {
    const w = this.right - this.left, h = this.bottom - this.top;
    if (!this.view || this.view.fitted) {
      const [x0, x1] = extent(this.series.flatMap((s) => s.x.length ? extent(s.x) : []));
      const [y0, y1] = extent(this.series.flatMap((s) => s.y.length ? extent(s.y) : []));
      this.view = {
        x: (x0 + x1) / 2,
        y: (y0 + y1) / 2,
        scale: 1.1 * Math.max((x1 - x0) / w, (y1 - y0) / h, 1e-3),
        fitted: true
      };
    }
    const {x, y, scale} = this.view;
    this.xRange = [x - scale * w / 2, x + scale * w / 2];
    this.yRange = [y - scale * h / 2, y + scale * h / 2];
  }

  atX(value) {
    return this.left +
        (value - this.xRange[0]) / (this.xRange[1] - this.xRange[0]) * (this.right - this.left);
  }
  atY(value) {
    return this.bottom -
        (value - this.yRange[0]) / (this.yRange[1] - this.yRange[0]) * (this.bottom - this.top);
  }

  axes() {
    const {x, y} = this.options, parts = [];
    for (const tick of ticks(this.xRange, Math.max(5, Math.floor((this.right - this.left) / 80)))) {
      const at = this.atX(tick.value).toFixed(1);
      parts.push(
          svg('line', {class: 'grid', x1: at, x2: at, y1: this.top, y2: this.bottom}),
          svg('text', {x: at, y: this.bottom + 15, 'text-anchor': 'middle'}, tick.label));
    }
    for (const tick of ticks(this.yRange, Math.max(2, Math.floor((this.bottom - this.top) / 30)))) {
      const at = this.atY(tick.value).toFixed(1);
      parts.push(
          svg('line', {class: 'grid', x1: this.left, x2: this.right, y1: at, y2: at}),
          svg('text', {x: this.left - 7, y: Number(at) + 4, 'text-anchor': 'end'}, tick.label));
    }
    const middle = (this.top + this.bottom) / 2;
    parts.push(
        svg('line', {class: 'axis', x1: this.left, x2: this.right, y1: this.bottom, y2: this.bottom}),
        svg('text', {x: (this.left + this.right) / 2, y: this.bottom + 32, 'text-anchor': 'middle'}, x.label),
        svg('text', {transform: `translate(12 ${middle}) rotate(-90)`, 'text-anchor': 'middle'}, y.label));
    return parts;
  }

  marks() {
    const parts = [];
    for (const [from, to] of this.options.bands || [])
      parts.push(svg('rect', {
        class: 'band',
        x: this.left,
        width: this.right - this.left,
        y: this.atY(to),
        height: Math.max(0, this.atY(from) - this.atY(to))
      }));
    for (const rule of this.options.rules || [])
      parts.push(svg(
          'line', {class: 'rule', x1: this.left, x2: this.right, y1: this.atY(rule), y2: this.atY(rule)}));
    for (const s of this.series) parts.push(...this.marksOf(s));
    for (const {x, y, colour, text} of this.options.ends || [])
      parts.push(
          svg('circle', {class: 'end', cx: this.atX(x), cy: this.atY(y), r: 4.5, style: `--colour:${colour}`},
              svg('title', {}, text)));
    for (const {x, y, text} of this.options.flags || [])
      parts.push(
          svg('path', {class: 'flag', d: `M${this.atX(x) - 4} ${this.atY(y) - 4}l8 8m0-8l-8 8`},
              svg('title', {}, text)));
    return parts;
  }

  // A line that breaks where a value is not known, or dots: one path either way. Dots beyond the range are
  // drawn on its edge.
  marksOf(s) {
    let line = '', dots = '', pen = 'M';
    for (let i = 0; i < s.x.length; ++i) {
      if (s.x[i] === null || s.y[i] === null) {
        pen = 'M';
        continue;
      }
      const y = s.dots === 'only' ? Math.min(this.yRange[1], Math.max(this.yRange[0], s.y[i])) : s.y[i];
      const at = `${this.atX(s.x[i]).toFixed(1)} ${this.atY(y).toFixed(1)}`;
      line += pen + at;
      dots += `M${at}h0`;
      pen = 'L';
    }
    const style = `--colour:${s.colour}`;
    return [
      s.dots === 'only' ?
          null :
          svg('path',
              {class: 'line', d: line, style, 'stroke-width': s.width || 1.6, 'stroke-dasharray': s.dash}),
      s.dots ? svg('path', {
        class: 'dots',
        d: dots,
        style,
        'stroke-width': s.dots === 'only' ? 3 : 6,
        opacity: s.dots === 'only' ? 0.6 : 1
      }) :
               null
    ].filter(Boolean);
  }

  // The cursor's line, a spot on each series, and their values in the legend.
  point() {
    const {cursor, y, x, equal} = this.options;
    const t = cursor ? cursor.value : this.hovered;
    const parts = [];
    let first = null;
    this.series.forEach((s, k) => {
      const keys = s.t || s.x;
      const i = t === null || t === undefined || keys.length === 0 ? -1 : nearest(keys, t);
      const known = i >= 0 && s.y[i] !== null && s.x[i] !== null;
      this.outputs[k].textContent = i < 0 || equal ? '' : `${shown(s.y[i], y.decimals)}${y.unit || ''}`;
      if (!known) return;
      if (first === null) first = s.x[i];
      const height = Math.min(this.yRange[1], Math.max(this.yRange[0], s.y[i]));
      parts.push(svg('circle', {
        class: 'spot',
        cx: this.atX(s.x[i]),
        cy: this.atY(height),
        r: equal ? 6 : 4,
        style: `--colour:${s.colour}`
      }));
    });
    if (first !== null && !equal) {
      const at = this.atX(first);
      parts.unshift(svg('line', {class: 'cursor', x1: at, x2: at, y1: this.top, y2: this.bottom}));
    }
    if (this.moment)
      this.moment.textContent =
          first === null || equal ? '' : `at ${shown(first, x.decimals)}${x.unit || ''}`;
    this.overlay.replaceChildren(...parts);
  }

  // Where the pointer is, in pixels of the drawing.
  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [
      (event.clientX - box.left) * this.width / box.width,
      (event.clientY - box.top) * this.height / box.height
    ];
  }
  toX(pixel) {
    return this.xRange[0] +
        (pixel - this.left) / (this.right - this.left) * (this.xRange[1] - this.xRange[0]);
  }

  // The series and index of the point nearest to the pointer, within `reach` pixels.
  pick([px, py], reach) {
    let best = null, least = reach;
    for (const s of this.series) {
      if (!this.options.equal) {
        if (!s.x.length) continue;
        const i = nearest(s.x, this.toX(px));
        const distance = Math.abs(this.atX(s.x[i]) - px);
        if (!best || distance < least - 0.01) {
          best = {s, i};
          least = distance;
        }
        continue;
      }
      for (let i = 0; i < s.x.length; ++i) {
        const distance = Math.hypot(this.atX(s.x[i]) - px, this.atY(s.y[i]) - py);
        if (distance < least) {
          best = {s, i};
          least = distance;
        }
      }
    }
    return best;
  }

  moveCursor(moment) {
    if (this.options.cursor) return this.options.cursor.set(moment);
    this.hovered = moment;
    this.point();
  }

  listen() {
    const {cursor, stretch, equal} = this.options;
    this.canvas.addEventListener(
        'pointermove', (event) => this.drag ? this.dragTo(event) : this.hover(event));
    this.canvas.addEventListener('pointerleave', () => {
      this.tip.hidden = true;
      if (!this.drag) this.moveCursor(null);
    });
    this.canvas.addEventListener('keydown', (event) => this.press(event));
    if (cursor) cursor.listen(() => this.overlay && this.point());
    if (stretch) stretch.listen(() => this.draw());
    if (!equal && !stretch) return;
    this.canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || (event.pointerType === 'touch' && !equal)) return;
      this.drag = {from: this.place(event), view: this.view};
      this.canvas.setPointerCapture(event.pointerId);
      this.tip.hidden = true;
    });
    this.canvas.addEventListener('pointerup', (event) => this.drop(event));
    this.canvas.addEventListener('pointercancel', () => this.drag = null);  // a finger scrolls the page
    this.canvas.addEventListener('dblclick', () => equal ? this.fit() : stretch.set(null));
    if (equal)
      this.canvas.addEventListener('wheel', (event) => {
        if (!event.ctrlKey && document.activeElement !== this.canvas) return;  // the page scrolls
        event.preventDefault();
        this.zoom(Math.exp(event.deltaY * 0.0015), this.place(event));
      }, {passive: false});
  }

  hover(event) {
    const place = this.place(event);
    const found = this.pick(place, this.options.equal ? 40 : Infinity);
    if (!found) {
      this.tip.hidden = true;
      return this.moveCursor(null);
    }
    const moment = (found.s.t || found.s.x)[found.i];
    this.moveCursor(moment);
    if (!this.options.tip) return;
    this.tip.replaceChildren(...this.options.tip(moment).map((line) => html('div', {}, line)));
    this.tip.hidden = false;
    const box = this.figure.getBoundingClientRect();
    const x = event.clientX - box.left, onRight = x > box.width / 2;
    this.tip.style.left = onRight ? 'auto' : `${x + 14}px`;
    this.tip.style.right = onRight ? `${box.width - x + 14}px` : 'auto';
    this.tip.style.top = `${event.clientY - box.top + 12}px`;
  }

  dragTo(event) {
    const [px, py] = this.place(event), {from, view} = this.drag;
    if (this.options.equal) {
      this.canvas.classList.add('dragged');
      this.view = {
        x: view.x - (px - from[0]) * view.scale,
        y: view.y + (py - from[1]) * view.scale,
        scale: view.scale
      };
      return this.draw();
    }
    const x = Math.min(px, from[0]);
    this.overlay.replaceChildren(svg(
        'rect',
        {class: 'selection', x, width: Math.abs(px - from[0]), y: this.top, height: this.bottom - this.top}));
  }

  drop(event) {
    if (!this.drag) return;
    const from = this.drag.from[0], to = this.place(event)[0];
    this.drag = null;
    this.canvas.classList.remove('dragged');
    if (this.options.equal || Math.abs(to - from) < 6) return;
    const inside = (pixel) => this.toX(Math.min(this.right, Math.max(this.left, pixel)));
    this.options.stretch.set([inside(Math.min(from, to)), inside(Math.max(from, to))]);
  }

  press(event) {
    const s = this.series[0], keys = s.t || s.x;
    const steps = {ArrowLeft: -1, ArrowRight: 1, PageDown: -20, PageUp: 20};
    if (event.key === 'Escape') {
      this.moveCursor(null);
      if (this.options.stretch) this.options.stretch.set(null);
      return;
    }
    if (this.options.equal && '+-0'.includes(event.key))
      return event.key === '0' ? this.fit() : this.zoom(event.key === '+' ? 0.7 : 1 / 0.7);
    if (!(event.key in steps) || keys.length === 0) return;
    event.preventDefault();
    const now = this.options.cursor ? this.options.cursor.value : this.hovered;
    const i = now === null || now === undefined ? 0 : nearest(keys, now) + steps[event.key];
    this.moveCursor(keys[Math.min(keys.length - 1, Math.max(0, i))]);
  }

  zoom(factor, about = [(this.left + this.right) / 2, (this.top + this.bottom) / 2]) {
    const dx = about[0] - (this.left + this.right) / 2, dy = about[1] - (this.top + this.bottom) / 2;
    const {x, y, scale} = this.view;
    this.view = {x: x + dx * scale * (1 - factor), y: y - dy * scale * (1 - factor), scale: scale * factor};
    this.draw();
  }
  fit() {
    this.view = null;
    this.draw();
  }

  addMapTools() {
    const button = (text, label, action) => {
      const made = html('button', {type: 'button', 'aria-label': label, title: label}, text);
      made.addEventListener('click', action);
      return made;
    };
    this.tools.append(
        button('+', 'Zoom in', () => this.zoom(0.7)), button('−', 'Zoom out', () => this.zoom(1 / 0.7)),
        button('Fit', 'Show the whole path', () => this.fit()));
  }
}
