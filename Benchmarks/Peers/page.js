// Runs in each measured page before its own scripts. It reports to compare.py with the binding `tell`.
(() => {
  if (window !== top) return
  const { field: fieldSelector, key: measuredKey, rows: shownRows } = PEER
  const peer = window.peer = { lcp: null, socket: null, message: null }

  // --- What is on the page ---

  /** Text nodes that were found, by the beginning of their text. */
  const known = new Map()
  function text(beginning) {
    const old = known.get(beginning)
    if (old?.isConnected && old.nodeValue.startsWith(beginning)) return old.nodeValue
    if (!document.body) return null
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      if (!walker.currentNode.nodeValue.startsWith(beginning)) continue
      known.set(beginning, walker.currentNode)
      return walker.currentNode.nodeValue
    }
    return null
  }
  const field = () => document.querySelector(fieldSelector)
  const button = () => [...document.querySelectorAll('button')].find(one => one.textContent.trim() === 'Count')
  peer.echo = () => text('Echo:')?.slice(5).trim() ?? null
  peer.count = () => text('Count: ')?.slice(7).trim() ?? null
  peer.rows = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const rows = new Set()
    while (walker.nextNode()) {
      const value = walker.currentNode.nodeValue.trim()
      if (/^Row \d+$/.test(value)) rows.add(value)
    }
    return rows.size
  }
  /** Streamlit draws its table on a canvas. */
  const hasTable = () => !!document.querySelector('[data-testid=stDataFrame] canvas')
  const hasRows = () => shownRows === 'none' || has('Row 1') || hasTable()
  const has = row => !!document.body && text(row) !== null
  peer.value = () => field().value
  peer.press = () => button().click()
  peer.focus = () => { if (document.activeElement !== field()) field()?.focus() }
  peer.jump = () => document.querySelector('[data-jump=last]')?.click()

  // --- What compare.py waits for ---

  /** Conditions that are reported once, with the time since the navigation. */
  const conditions = {
    field: () => !!field(),
    whole: () => !!field() && !!button() && peer.echo() !== null && peer.count() !== null && hasRows(),
    echo: () => !!peer.echo(),
    one: () => peer.count() === '1',
    last: () => has('Row 1000'),
  }
  const waiting = new Set(['field', 'whole', 'echo'])
  let expected = null, start = null, parts = {}
  const report = (name, value) => window.tell(JSON.stringify({ name, value }))
  function look() {
    for (const name of waiting) {
      if (!conditions[name]()) continue
      waiting.delete(name)
      report(name, performance.now())
    }
    if (expected !== null && start !== null && peer.echo() === expected) {
      const found = performance.now() - start, begin = start, done = parts
      expected = start = null
      // A task after the next frame's callbacks runs when the frame has been made.
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.onmessage = () => report('key', { found, painted: performance.now() - begin, ...done })
        channel.port2.postMessage(0)
      })
    }
  }
  peer.expect = name => { waiting.add(name); look() }
  peer.next = letter => { expected = field().value + letter; start = null }
  addEventListener('keydown', event => {
    if (measuredKey ? event.key !== measuredKey : event.key.length !== 1) return
    start = event.timeStamp
    parts = { handled: performance.now() - start }
  }, true)
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })

  // --- The timeline ---

  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      peer.lcp = { time: entry.startTime, size: entry.size, element: entry.element?.outerHTML.slice(0, 100) ?? '' }
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  peer.timeline = () => {
    const [navigation] = performance.getEntriesByType('navigation')
    const paint = performance.getEntriesByName('first-contentful-paint')[0]
    return {
      redirects: navigation.redirectCount, redirectEnd: navigation.redirectEnd,
      requestStart: navigation.requestStart, responseStart: navigation.responseStart,
      responseEnd: navigation.responseEnd, interactive: navigation.domInteractive,
      loaded: navigation.loadEventEnd, firstPaint: paint?.startTime, socketOpen: peer.socket,
      firstMessage: peer.message, largestPaint: peer.lcp,
    }
  }
  const Plain = WebSocket
  window.WebSocket = class extends Plain {
    constructor(...words) {
      super(...words)
      this.addEventListener('open', () => { peer.socket ??= performance.now() })
      this.addEventListener('message', () => {
        peer.message ??= performance.now()
        if (start !== null) parts.received = performance.now() - start
      })
    }
    send(data) {
      if (start !== null) parts.sent ??= performance.now() - start
      super.send(data)
    }
  }
})()
