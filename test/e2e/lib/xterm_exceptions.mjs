// Where xterm.js is not followed: it is wrong there, or keeps something that can neither be seen nor be in a snapshot. Each of these
// mends it for the tests, the reason beside it. Everything else is held to what it does.

/** Replaces a method by `change(original)`. */
function change(object, name, wrap) {
  object[name] = wrap(object[name].bind(object));
}

/** The same in the prototype of an object, once for all. */
function changeType(object, name, wrap) {
  const type = Object.getPrototypeOf(object);
  if (!type[name].isMended) type[name] = Object.assign(wrap(type[name]), { isMended: true });
}

const buffersOf = service => [service.buffers.normal, service.buffers.alt];

function afterResize(service, act) {
  change(service, 'resize', resize => (cols, rows) => {
    resize(cols, rows);
    act(cols, rows);
  });
}

function* linesOf({ lines }) {
  for (let i = 0; i < lines.length; i++) yield lines.get(i);
}

/** { what, why, mend(its core) } */
export const EXCEPTIONS = [
  {
    what: 'CSI 1 J on the last column',
    why: 'the next row no longer goes on from this one; it takes the row from the top of the scrollback, and throws when there is none',
    mend({ _inputHandler: handler, _bufferService: service }) {
      change(handler, 'eraseInDisplay', erase => (params, respect) => {
        if (params.params[0] !== 1) return erase(params, respect);
        handler._restrictCursor(service.cols);
        const { buffer } = service;
        handler._eraseInBufferLine(buffer.y, 0, buffer.x + 1, true, respect);
        if (buffer.x + 1 >= service.cols && buffer.y + 1 < service.rows) buffer.lines.get(buffer.ybase + buffer.y + 1).isWrapped = false;
        for (let row = 0; row < buffer.y; row++) handler._resetBufferLine(row, respect);
        return true;
      });
    },
  },
  {
    what: 'an alternate screen that becomes smaller',
    why: 'columns that are cut off come back when it grows, and while it is not shown it keeps room for rows above the screen; it has none, and the program draws anew',
    mend({ _bufferService: service }) {
      afterResize(service, (cols, rows) => {
        const { alt } = service.buffers;
        for (const line of linesOf(alt)) if (line.length > cols) line.resize(cols, alt.getNullCell());
        if (alt.lines.length === 0) alt.lines.maxLength = rows;
      });
    },
  },
  {
    what: 'half of a wide character: in a row that is cut, or whose last column is overwritten while lines do not wrap',
    why: 'the left half stays alone, where no program could write it, and so no snapshot',
    mend({ _inputHandler: handler, _bufferService: service, coreService }) {
      afterResize(service, cols => {
        for (const buffer of buffersOf(service)) for (const line of linesOf(buffer)) if (line.getWidth(cols - 1) === 2) line.setCell(cols - 1, buffer.getNullCell());
      });
      change(handler, 'print', print => (data, start, end) => {
        print(data, start, end);
        const { buffer, cols } = service, line = buffer.lines.get(buffer.ybase + buffer.y), last = cols - 1;
        if (!coreService.decPrivateModes.wraparound && line.getWidth(last - 1) === 2 && (line.getWidth(last) || line.hasContent(last)))
          line.setCellFromCodepoint(last - 1, 0, 1, handler._curAttrData);
      });
    },
  },
  {
    what: 'marks without a character before them',
    why: 'behind the last column each moves the cursor further out of the screen; behind a resize they join whatever is before the cursor then',
    mend({ _inputHandler: handler, _bufferService: service }) {
      const isAlone = code => handler._parser.precedingJoinState >> 1 === 0 && handler._unicodeService.wcwidth(code) === 0;
      change(handler, 'print', print => (data, start, end) => {
        for (; start < end && isAlone(data[start]); start++) {
          print(data, start, start + 1);
          service.buffer.x = Math.min(service.buffer.x, service.cols);
        }
        if (start < end) print(data, start, end);
      });
      afterResize(service, () => { handler._parser.precedingJoinState = 0; });
    },
  },
  {
    what: 'a narrower size for which the scrollback is too small',
    why: 'lines that fall off its top are written over others, because a negative index counts from the end of a ring',
    mend({ buffers }) {
      changeType(buffers.normal.lines, 'set', set => function (index, line) { if (index >= 0) set.call(this, index, line); });
    },
  },
  {
    what: 'combined characters in lines that flow anew',
    why: 'each piece of a line that is copied takes the marks of all that is right of it along, over those of other cells',
    mend({ buffers }) {
      changeType(buffers.normal.lines.get(0), 'copyCellsFrom', copy => function (from, start, to, length, backwards) {
        const all = from._combined, own = Object.entries(all).filter(([col]) => col >= start && col < start + length);
        from._combined = {};
        copy.call(this, from, start, to, length, backwards);
        from._combined = all;
        for (const [col, text] of own) this._combined[col - start + to] = text;
      });
    },
  },
  {
    what: 'a screen of one row without scrollback',
    why: 'a wide character that wraps is erased again: the row that scrolls off is used for the new one before its rest is cleared',
    mend({ buffers }) {
      changeType(buffers.normal.lines, 'recycle', recycle => function () {
        const line = recycle.call(this).clone();
        this.set(this.length - 1, line);
        return line;
      });
    },
  },
  {
    what: 'a cursor saved outside the screen',
    why: 'CSI 3 J moves it down by the lines that it drops; a larger size brings rows and columns back where nothing can be saved',
    mend({ _inputHandler: handler, _bufferService: service }) {
      const keep = rows => {
        for (const buffer of buffersOf(service)) buffer.savedY = Math.min(Math.max(buffer.savedY, buffer.ybase), buffer.ybase + rows - 1);
      };
      change(handler, 'eraseInDisplay', erase => (params, respect) => {
        const { buffer } = service, above = buffer.ybase;
        erase(params, respect);
        buffer.savedY = Math.max(buffer.savedY - (above - buffer.ybase), 0);
        return true;
      });
      change(handler, 'saveCursor', save => params => {
        save(params);
        service.buffer.savedX = Math.min(service.buffer.savedX, service.cols - 1);
        return true;
      });
      change(service, 'resize', resize => (cols, rows) => {
        keep(service.rows);
        resize(cols, rows);
        keep(rows);
      });
    },
  },
  {
    what: 'links and underlines behind DECRC',
    why: 'it brings back that there were some or none, but not which, and so hides a link that is open, until the next SGR',
    mend({ _inputHandler: handler }) {
      change(handler, 'restoreCursor', restore => params => {
        restore(params);
        handler.getAttrData().updateExtended();
        return true;
      });
    },
  },
  {
    what: 'tab stops right of the screen',
    why: 'they wait unseen until it is wider again',
    mend({ _inputHandler: handler, _bufferService: service }) {
      change(handler, 'tabSet', set => () => service.buffer.x >= service.cols || set());
      afterResize(service, cols => {
        for (const { tabs } of buffersOf(service)) for (const col of Object.keys(tabs)) if (Number(col) >= cols) delete tabs[col];
      });
    },
  },
  {
    what: 'CSI 59 m',
    why: 'it means the default colour for underlines; xterm.js makes them white',
    mend({ _inputHandler: handler }) {
      const type = Object.getPrototypeOf(handler.getAttrData().extended), { get, set } = Object.getOwnPropertyDescriptor(type, 'underlineColor');
      if (!type.isMended) Object.defineProperty(type, 'underlineColor', { get, set(value) { set.call(this, value === -1 ? 0 : value); } });
      type.isMended = true;
    },
  },
];
