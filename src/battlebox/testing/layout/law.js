// @ts-check
/**
 * What is wrong with how the page lies, by what is drawn where: [{law, what, words, over}]. The laws stand in
 * faults.py. Run in the page, when it is at rest.
 */
() => {
  /** Pixels by which something may be beyond an edge. */
  const EDGE = 1.5
  /** What may lie over anything for a moment. */
  const PASSING = '.toast, .lost, .is-dragged'
  /** What is only a frame round that which it lies over, and is pressed for it. */
  const FRAME = '.hit'
  /** What is written on the ground: things stand upon it. */
  const GROUND = '.yard-n'
  const W = innerWidth, H = innerHeight
  /** @type {Map<string, {law: string, what: string, words: string, over: string}>} */
  const found = new Map()
  const box = document.querySelector('.box'), modal = document.querySelector('dialog:modal')
  const root = modal || document.body

  // ---- what there is ----
  /** @type {Map<Element, CSSStyleDeclaration>} */
  const styles = new Map()
  const styleOf = (/** @type {Element} */ el) => {
    let style = styles.get(el)
    if (!style) styles.set(el, style = getComputedStyle(el))
    return style
  }
  const nameOf = (/** @type {Element | null | undefined} */ el) => {
    if (!el) return ''
    const near = el.closest('[data-piece], [data-zone], [class]')
    const id = el.closest('[data-piece]')?.getAttribute('data-piece') || el.closest('[data-zone]')?.getAttribute('data-zone')
    const cls = typeof near?.className === 'string' ? near.className.trim().split(/\s+/).join('.') : ''
    return `${el.localName}${cls && `.${cls}`}${id ? ` of ${id}` : ''}`
  }
  const fault = (/** @type {string} */ law, /** @type {Element} */ el, words = '', over = '') => {
    const what = nameOf(el), key = `${law} ${what} ${words} ${over}`
    found.set(key, { law, what, words: words.trim().slice(0, 60), over })
  }
  const isSeen = (/** @type {Element} */ el) => (
    el.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !el.closest('.vh, .skip, .sprite')
    && styleOf(el).clipPath !== 'inset(50%)'
  )
  const alpha = (/** @type {string} */ colour) => {
    const parts = colour.match(/[\d.]+/g) || []
    return colour === 'transparent' ? 0 : parts.length > 3 ? Number(parts[3]) : 1
  }
  const hasGround = (/** @type {Element} */ el) => {
    const s = styleOf(el)
    if (s.display === 'contents') return false
    return alpha(s.backgroundColor) > .1 || s.backgroundImage !== 'none' || (s.borderTopStyle !== 'none' && parseFloat(s.borderTopWidth) > 0)
      || (s.boxShadow !== 'none' && !(el instanceof SVGElement))
  }
  /** @typedef {{left: number, right: number, top: number, bottom: number}} Area */
  const within = (/** @type {Area} */ r, /** @type {number} */ x, /** @type {number} */ y) => (
    x >= r.left && x <= r.right && y >= r.top && y <= r.bottom
  )
  const meet = (/** @type {Area} */ a, /** @type {Area} */ b) => ({
    left: Math.max(a.left, b.left), right: Math.min(a.right, b.right), top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom),
  })
  const isEmpty = (/** @type {Area} */ r) => r.right - r.left < 1 || r.bottom - r.top < 1
  const view = { left: 0, right: W, top: 0, bottom: H }

  /** Every text that is drawn: its element, its words, where its lines lie. */
  const texts = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const el = node.parentElement, words = (node.textContent || '').trim()
    if (!el || !words || el.closest('script, style, noscript, option') || !isSeen(el)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    texts.push({ el, words, lines: [...range.getClientRects()].filter(r => !isEmpty(r)) })
  }
  /** @type {Map<Element, DOMRect[]>} */
  const inked = new Map()
  for (const { el, lines } of texts) inked.set(el, [...(inked.get(el) || []), ...lines])

  /** Whether an element itself draws something at a point. */
  const draws = (/** @type {Element} */ el, /** @type {number} */ x, /** @type {number} */ y) => {
    if (styleOf(el).opacity === '0') return false
    if (el instanceof SVGElement) return !(el instanceof SVGSVGElement) && (styleOf(el).fill !== 'none' || styleOf(el).stroke !== 'none')
    return hasGround(el) || (inked.get(el) || []).some(r => within(r, x, y))
  }
  const cardOf = (/** @type {Element} */ el) => el.closest('.card, .fan-slot, .column-slot, .duel-ghost')
  /** Cards of one zone may lie over each other: what must be seen of each has a law of its own. */
  const mayCover = (/** @type {Element} */ over, /** @type {Element} */ el) => {
    if (over.closest(PASSING) || over.matches(FRAME) || el.closest(GROUND)) return true
    const a = cardOf(over), b = cardOf(el)
    return Boolean(a && b && a !== b && a.closest('[data-zone]') === b.closest('[data-zone]'))
  }
  /** What there is at a point, from the top: mostly the first decides, and to find all takes ten times as long. */
  function* at(/** @type {number} */ x, /** @type {number} */ y) {
    const top = document.elementFromPoint(x, y)
    if (!top) return
    yield top
    yield* document.elementsFromPoint(x, y).slice(1)
  }
  const firstAt = (/** @type {number} */ x, /** @type {number} */ y, /** @type {(el: Element) => boolean} */ is) => {
    for (const el of at(x, y)) if (is(el)) return el
    return null
  }
  /** What lies over an element at a point; null: nothing. */
  const overAt = (/** @type {Element} */ el, /** @type {number} */ x, /** @type {number} */ y) => {
    for (const other of at(x, y)) {
      if (other.contains(el) || el.contains(other)) return null
      if (draws(other, x, y) && !mayCover(other, el)) return other
    }
    return null
  }
  /** What of an area the boxes around an element let through; and the first that cuts it, which does not scroll. */
  const clipped = (/** @type {Element} */ el, /** @type {Area} */ r, /** @type {number} */ slack) => {
    let left = r, cutBy = null
    for (let a = el; a && a !== document.documentElement; a = /** @type {Element} */ (a.parentElement)) {
      const s = styleOf(a)
      if (s.overflowX === 'visible' && s.overflowY === 'visible') continue
      const b = a.getBoundingClientRect(), scrolls = /auto|scroll/.test(s.overflowX + s.overflowY) && (a.scrollHeight > a.clientHeight + 1 || a.scrollWidth > a.clientWidth + 1)
      const isCut = left.left < b.left - EDGE || left.right > b.right + EDGE || left.top < b.top - slack || left.bottom > b.bottom + slack
      if (isCut && !scrolls) cutBy ??= a
      left = meet(left, b)
      if (styleOf(a).position === 'fixed') break
    }
    return { left, cutBy }
  }

  // ---- what can be pressed can be reached ----
  for (const el of root.querySelectorAll('button:not([disabled]), a[href], input, select')) {
    if (!isSeen(el)) continue
    const r = el.getBoundingClientRect(), seen = meet(clipped(el, r, 0).left, view)
    if (isEmpty(seen)) continue
    const steps = [.1, .3, .5, .7, .9]
    const can = steps.some(u => steps.some(v => {
      const top = document.elementFromPoint(seen.left + u * (seen.right - seen.left), seen.top + v * (seen.bottom - seen.top))
      return top && (el.contains(top) || top.matches(FRAME) || (el.closest('label') && el.closest('label') === top.closest('label')))
    }))
    if (!can) fault('out of reach', el, el.getAttribute('aria-label') || el.textContent || '')
  }

  // ---- texts: neither covered, nor cut, nor beyond their box ----
  const open = new CSSStyleSheet() // what lets a pointer through covers all the same
  open.replaceSync('*, *::before, *::after { pointer-events: auto !important }')

  const unframed = new CSSStyleSheet() // and what may lie over all is looked through at once, as to find all takes long
  unframed.replaceSync(`${FRAME} { pointer-events: none !important }`)
  /** @type {(() => void)[]} */
  const underFrames = []

  document.adoptedStyleSheets.push(open)
  for (const { el, words, lines } of texts) {
    const size = parseFloat(styleOf(el).fontSize), slack = .3 * size
    for (const r of lines) {
      const { left, cutBy } = clipped(el, r, slack)
      const told = el.closest('[title]')?.getAttribute('title') || ''
      if (cutBy && !told.includes(words)) fault('cut', el, words, nameOf(cutBy))
      if (isEmpty(left)) continue
      const ground = el instanceof SVGElement ? null : ancestorWithGround(el)
      if (ground && !cutBy) {
        const b = ground.getBoundingClientRect()
        if (left.left < b.left - EDGE || left.right > b.right + EDGE || left.top < b.top - slack || left.bottom > b.bottom + slack) {
          fault('leaves its box', el, words, nameOf(ground))
        }
      }
      const seen = meet(left, view)
      if (isEmpty(seen)) continue
      for (const u of [.04, .35, .65, .96]) {
        for (const v of [.3, .7]) {
          const x = seen.left + u * (seen.right - seen.left), y = seen.top + v * (seen.bottom - seen.top)
          const look = () => {
            const over = overAt(el, x, y)
            if (over) fault('covered', el, words, nameOf(over))
          }
          const top = document.elementFromPoint(x, y)
          if (top?.matches(FRAME) && !top.contains(el) && !el.matches(FRAME)) underFrames.push(look)
          else look()
        }
      }
    }
  }
  document.adoptedStyleSheets.push(unframed)
  for (const look of underFrames) look()
  function ancestorWithGround(/** @type {Element} */ el) {
    for (let a = el; a && a !== root; a = /** @type {Element} */ (a.parentElement)) {
      if (styleOf(a).display !== 'inline' && hasGround(a)) return a
    }
    return null
  }
  /** Whether at least such a share of an element is seen, in the window and under nothing. */
  const share = (/** @type {Element} */ el) => {
    const r = el.getBoundingClientRect(), seen = meet(clipped(el, r, 0).left, view), steps = [.1, .3, .5, .7, .9]
    let n = 0
    for (const u of steps) {
      for (const v of steps) {
        const x = r.left + u * (r.right - r.left), y = r.top + v * (r.bottom - r.top)
        if (!isEmpty(seen) && within(seen, x, y)) {
          const top = firstAt(x, y, o => !o.closest(PASSING) && !o.matches(FRAME) && (o.contains(el) || el.contains(o) || draws(o, x, y)))
          n += Number(Boolean(top && (el.contains(top) || top.contains(el))))
        }
      }
    }
    return n / 25
  }

  // ---- cards: of each one sees which it is ----
  for (const card of root.querySelectorAll('.card:not(.is-back, .is-empty, .is-blank)')) {
    const corner = card.querySelector('.card-corner')
    if (!isSeen(card) || !corner) continue
    const c = corner.getBoundingClientRect(), x = (c.left + c.right) / 2, y = (c.top + c.bottom) / 2
    if (!within(view, x, y) || isEmpty(c) || isEmpty(clipped(corner, c, 0).left)) continue // a row may scroll
    const top = firstAt(x, y, o => !o.closest(PASSING) && !o.matches(FRAME) && (o.contains(card) || card.contains(o) || draws(o, x, y)))
    if (top && !card.contains(top) && !top.contains(card) && share(card) < .5) fault('which card', card, card.textContent || '', nameOf(top))
  }

  // ---- what is put on a card leaves its value to be read ----
  for (const value of root.querySelectorAll('.card .card-corner b:not(:empty)')) {
    const card = /** @type {Element} */ (value.closest('.card')), around = card.closest('.column-slot, .pile-stack') ?? card
    const [text] = inked.get(value) || []
    if (!text) continue
    for (const mark of around.querySelectorAll('.tag, .badge')) {
      const x = meet(text, mark.getBoundingClientRect())
      const covers = isSeen(mark) && !isEmpty(x) && (x.right - x.left) * (x.bottom - x.top) > .35 * text.width * text.height
      if (covers) fault('covered', value, value.textContent || '', nameOf(mark))
    }
    const tick = getComputedStyle(card, '::before')
    if (!card.matches('.is-picked') || tick.content === 'none') continue
    const c = card.getBoundingClientRect(), left = c.left + parseFloat(tick.left), top = c.top + parseFloat(tick.top)
    const at = { left, top, right: left + parseFloat(tick.width), bottom: top + parseFloat(tick.height) }
    for (const [el, r] of [value, ...card.querySelectorAll('.badge')].map(el => /** @type {const} */ ([el, el.getBoundingClientRect()]))) {
      const x = meet(r, at)
      if (!isEmpty(x) && (x.right - x.left) * (x.bottom - x.top) > .35 * r.width * r.height) fault('covered', el, el.textContent || '', 'the tick')
    }
  }

  // ---- what one needs is in view ----
  if (document.documentElement.scrollWidth > W + 1) fault('scrolls sideways', document.body, String(document.documentElement.scrollWidth - W))
  if (box?.classList.contains('is-table') && !modal) {
    const said = document.querySelector('.prompt-say:not(:has(.advice))')
    if (said && said.scrollHeight > said.clientHeight + 1) fault('scrolls', said, said.textContent || '')
    if (document.documentElement.scrollHeight > H + 1) fault('scrolls', box, `by ${document.documentElement.scrollHeight - H}`)
    const needed = [
      ['the question', '.prompt-text', .9], ['a choice', '#choices .choice', .9], ['the own hand', '.own .fan .card', .2],
      ['what is asked about', '.tray :is(.is-lit, .is-picked):is([data-piece], [data-zone])', .2], ['a tool', '.top .tool', .9],
    ]
    for (const [words, where, least] of needed) {
      for (const el of document.querySelectorAll(String(where))) {
        if (!isSeen(el)) continue
        const list = el.closest('.choices, .log-lines, .board, .picker-pieces'), r = el.getBoundingClientRect()
        if (list && list.scrollHeight > list.clientHeight + 1 && !isEmpty(meet(list.getBoundingClientRect(), view))
          && isEmpty(meet(r, list.getBoundingClientRect()))) continue // a list that scrolls
        if (list && list.scrollHeight > list.clientHeight + 1) continue
        if (share(el) < Number(least)) fault('out of view', el, `${words}: ${el.textContent || ''}`)
      }
    }
  }
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter(x => x !== open && x !== unframed)

  return [...found.values()]
}
