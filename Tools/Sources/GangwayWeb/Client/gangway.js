// The page's client: sends user actions with the messages in the page, and applies the changes that come back, by id.
// The client knows no kinds of elements, because Swift wrote each control's message in its name or value.

const base = document.body.dataset.base
const id = name => document.getElementById(name)
const messages = id('notices')
const form = id('page')
const root = document.documentElement

// --- The messages of this file; the folder Words has them in other languages -----------------------------------------

const phrases = {
  reconnecting: 'Reconnecting…',
  copied: 'The text is copied.',
  selected: 'The text is selected. Copy it with your keyboard.',
  connectionLost: 'The connection was lost. This action may not have been done.',
  sessionGone: 'The session of this page is gone. Copy your text, then reload the page.',
  notStored: 'Your changes are not stored. Keep this page open.',
  fileTooLarge: 'The file was not sent, because it is too large.',
  fileNotSent: 'The file was not sent. Choose it again.',
  textLost: 'The app did not receive your text. Edit the text in its field to send it again, or copy it.',
  textKept: "'{label}' was changed while you typed. Your text was kept.",
  ...globalThis.gangwayWords,
}

// --- The connection --------------------------------------------------------------------------------------------------

let socket, revision = +document.body.dataset.revision, number = 0, flying = null, queue = [], delay = 100, isFirst = true
/** The text to show while there is no connection. */
let trouble = phrases.reconnecting
/** Typed text that may not have arrived yet, by the input's name. */
const typed = new Map()
/** The name of the input whose text the current message answers, the input in which a character is being composed, and
 *  the inputs whose text won over a change from elsewhere. */
let answering, composing
const kept = new Set()
/** The names of inputs whose text was lost twice: it may be what crashes the app, so only the user sends it again. */
const suspected = new Set()
/** The names of inputs whose text was sent when the app asked whether to keep waiting: it may be what hangs the app. */
const asked = new Set()
/** Text that has arrived and is not stored, by the input's name: a crash of the server would lose it. */
const unstored = new Map()
let isUnstored = false
/** Since when changes are not stored. A slow disk stores them a moment later, which is not worth a warning. */
let unstoredSince = 0
const unstoredPatience = 1500

function connect() {
  const address = new URL('/_gangway/follow', location)
  address.protocol = address.protocol.replace('http', 'ws')
  address.searchParams.set('session', base.slice(2, -1))
  address.searchParams.set('revision', revision)
  socket = new WebSocket(address)
  let wasOpen = false
  socket.onopen = () => { wasOpen = true; delay = 100; trouble = phrases.reconnecting; say(''); next() }
  socket.onmessage = event => receive(JSON.parse(event.data))
  socket.onclose = () => {
    // A press is never sent twice, but typed text is.
    if (flying && !flying.name) notice(phrases.connectionLost)
    if (flying?.text !== undefined) typed.set(flying.name, flying.text)
    flying = null
    queue = queue.filter(item => item.name)
    revision = -1
    setTimeout(() => say(trouble), 400)
    setTimeout(connect, delay)
    delay = Math.min(delay * 2, 5000) * (.8 + Math.random() * .4)
    if (!wasOpen) look()
  }
}

/** If only the session is gone, opens the same place in another session, unless typed text would be lost. */
async function look() {
  const answer = await fetch(base, { method: 'HEAD', redirect: 'manual', cache: 'no-store' }).catch(() => {})
  if (answer?.type !== 'opaqueredirect' && answer?.status !== 403) return
  if (typed.size || unstored.size || uploads) {
    return say(trouble = phrases.sessionGone)
  }
  asks = false
  location.reload()
}

// The browser asks before leaving if a leave guard would ask, or if typed text has not arrived.
let asks, uploads = 0
addEventListener('beforeunload', event => { if (asks || typed.size || isUnstored || uploads) event.preventDefault() })

function say(text) {
  const place = id('connection'), isOpen = socket?.readyState === 1
  const isWarned = isUnstored && Date.now() - unstoredSince >= unstoredPatience
  place.textContent = !isOpen ? text : isWarned ? phrases.notStored : ''
  place.hidden = !place.textContent
  root.classList.toggle('offline', !isOpen && !!text)
}

/** Sends a message, after the text that was typed before it. */
function send(words, text, name) {
  // A secret is stored nowhere, so a new host does not have it. Send it before any event that may need it.
  if (!name) for (const input of front().querySelectorAll('input[type=password]')) if (input.value) send(input.name, input.value, input.name)
  // A press goes after all text that the user sees.
  if (!name) for (const [input, content] of typed) if (suspected.delete(input)) send(input, content, input)
  if (name) queue = queue.filter(item => item.name !== name)
  // The answer to the question whether to keep waiting must not wait for an event that the app does not answer.
  else if (flying && socket?.readyState === 1 && id('stage')?.dataset.top === '0') {
    return socket.send(JSON.stringify({ n: ++number, do: words, r: revision }))
  }
  queue.push({ words, text, name })
  next()
}

function next() {
  if (flying || socket?.readyState !== 1) return
  flying = queue.shift()
  root.toggleAttribute('data-busy', !!flying)
  if (!flying) return root.classList.remove('waiting')
  flying.n = ++number
  socket.send(JSON.stringify({ n: flying.n, do: flying.words, text: flying.text, r: revision }))
  const sent = flying.n
  setTimeout(() => { if (flying?.n === sent) root.classList.add('waiting') }, 150)
}

function receive(message) {
  if (message.unstored && !isUnstored) { unstoredSince = Date.now(); setTimeout(() => say(''), unstoredPatience) }
  isUnstored = !!message.unstored
  // After a restart of the server, unstored text is sent again.
  if (revision < 0) for (const [name, text] of unstored) if (!typed.has(name)) typed.set(name, text)
  if (!isUnstored || revision < 0) unstored.clear()
  const answered = message.a !== undefined && flying?.n === message.a ? flying : null
  if (answered) {
    flying = null
    if (answered.name) {
      // The question whether to keep waiting came before the answer. The text is sent again after it, if need be.
      const isAsked = String(message.top) === '0'
      if (!message.lost && !isAsked && typed.get(answered.name) === answered.text) typed.delete(answered.name)
      if (!message.lost && isUnstored) unstored.set(answered.name, answered.text)
      // Send it again, but only once, because this text may be what crashes the app. The input keeps it.
      if (isAsked) {
        if (asked.has(answered.name)) suspected.add(answered.name)
        asked.add(answered.name)
        queue = queue.filter(item => item.name)
      } else if (message.lost && !answered.again && typed.has(answered.name)) {
        queue.unshift({ ...answered, text: typed.get(answered.name), again: true })
      } else if (message.lost && typed.has(answered.name)) {
        suspected.add(answered.name)
        // A press that follows would act on the older text.
        queue = queue.filter(item => item.name)
        notice(phrases.textLost)
      }
    }
  }
  const before = id('stage').dataset.top
  const had = document.activeElement?.id
  if (before && had) focused.set(before, had)
  const hadFocus = noteStops()
  // The first message comes to a page that has been scrolled to nowhere yet, unless the browser did so after a reload.
  if (before && (scrollY || !isFirst)) scrolled.set(before, scrollY)
  const top = String(message.top), isElsewhere = before !== top
  if (message.t && isElsewhere) animate(message.t)
  // A log shows its newest lines, unless the user has scrolled back.
  for (const log of logs()) log.looksBack = log.scrollTop + log.clientHeight < log.scrollHeight - 8
  answering = answered?.name
  const place = above(), last = ends()
  for (const change of message.c) apply(change)
  if (!answered && above() !== place && ends() === last) isLed = true
  // The app may have taken another text than the one that was typed.
  const edited = answering && document.getElementsByName(answering)[0]
  if (edited?.matches(texts) && !typed.has(answering) && edited !== composing) fill(edited, edited.defaultValue)
  newest()
  document.body.dataset.revision = revision = message.r
  document.title = message.title
  asks = message.asks
  dialogs()
  address(message, isElsewhere)
  markOpen()
  const isLost = front().matches('dialog') && !front().contains(document.activeElement)
  if (isElsewhere || isFirst || isLost) arrive(top, isElsewhere || isLost)
  else hold(top, scrolled.get(top))
  if (hadFocus && document.activeElement === document.body) refocus()
  // The feature moves the focus, such as to the first field with a problem.
  if (message.focus) id(message.focus)?.focus()
  if (jump && answered?.words === jump.words) { land(jump); jump = null }
  for (const text of message.say ?? []) show(text)
  say('')
  if (isFirst) { isFirst = false; root.classList.add('live') }
  observe()
  // After a reconnect or a question, text that was typed in the meantime goes first, unless the app has it.
  for (const [name, text] of typed) {
    if (message.a !== undefined || String(message.top) === '0' || suspected.has(name)) continue
    if (flying?.name === name || queue.some(item => item.name === name)) continue
    if (document.getElementsByName(name)[0]?.defaultValue === text) typed.delete(name)
    else send(name, text, name)
  }
  next()
}

// --- Changes ---------------------------------------------------------------------------------------------------------

function parse(html) {
  const template = document.createElement('template')
  template.innerHTML = html
  link(template.content)
  return template.content.firstElementChild
}

/** Makes a link of each button that has an address, so that the browser can copy it or open it in a new tab. Without
 *  scripts it stays a button, which sends typed text, too. */
function link(part) {
  // The pages of a shared session move together.
  if ('shared' in document.body.dataset) return
  for (const button of part.querySelectorAll('button[data-href]')) {
    const made = document.createElement('a')
    for (const { name, value } of button.attributes) {
      if (name !== 'name') made.setAttribute({ 'data-href': 'href', value: 'data-do' }[name] ?? name, value)
    }
    made.append(...button.childNodes)
    button.replaceWith(made)
  }
}

function apply(change) {
  const place = id(change.id)
  if (!place) return
  if (change.html !== undefined) return morph(place, parse(change.html))
  if (change.add !== undefined) {
    for (let count = change.drop; count > 0; count--) place.firstElementChild?.remove()
    return place.insertAdjacentHTML('beforeend', change.add)
  }
  const found = new Map([...place.children].map(child => [child.id, child]))
  const names = new Set(change.order)
  for (const [name, child] of found) if (!names.has(name)) child.remove()
  let last = null
  for (const name of change.order) {
    let child = found.get(name)
    const html = change.new[name]
    if (child && html) { morph(child, parse(html)); child = id(name) }
    child ??= parse(html ?? '<i></i>')
    put(place, child, last)
    last = child
  }
}

/** Puts a child after another one, or first. The focused child stays in place, because a move would take its focus. */
function put(parent, child, last) {
  const here = () => last ? last.nextSibling : parent.firstChild
  if (child.parentNode !== parent || !child.contains(document.activeElement)) {
    if (here() !== child) parent.insertBefore(child, here())
  } else while (here() !== child) parent.append(here())
}

const logs = () => document.querySelectorAll('.log > [role=log]')
const newest = () => { for (const log of logs()) if (!log.looksBack) log.scrollTop = log.scrollHeight }

/** Makes an element equal to another, but keeps nodes with the same id, including their cursors and typed text. */
function morph(from, to) {
  if (from.nodeName !== to.nodeName) return from.replaceWith(to)
  const before = from.defaultValue
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !keeps(from, name)) from.removeAttribute(name)
  }
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) !== value && !keeps(from, name)) from.setAttribute(name, value)
  }
  if (from.matches('input, textarea, select')) return value(from, to, before)
  const known = new Map()
  for (const child of from.children) if (child.id) known.set(child.id, child)
  // Messages stay where they are.
  const names = new Set([...to.children].map(child => child.id))
  for (const [name, child] of known) if (!names.has(name) && child !== messages) child.remove()
  let last = null
  for (const child of [...to.childNodes]) {
    const here = last ? last.nextSibling : from.firstChild
    const same = child.id ? known.get(child.id)
      : here && here.nodeType === child.nodeType && !here.id && here.nodeName === child.nodeName ? here : null
    if (!same || same.nodeName !== child.nodeName) { from.insertBefore(child, here); last = child; continue }
    put(from, same, last)
    last = same
    if (same.nodeType === 1) morph(same, child)
    else if (same.nodeValue !== child.nodeValue) same.nodeValue = child.nodeValue
  }
  let gone = last ? last.nextSibling : from.firstChild
  while (gone) { const next = gone.nextSibling; if (gone !== messages) gone.remove(); gone = next }
}

/** Whether an attribute is the browser's own: whether an element is open, which cell of a grid Tab reaches, and the
 *  width that the user gave a column. */
const keeps = (element, name) => name === 'open' && element.matches('dialog, details')
  || ['hidden', 'value'].includes(name) && element.matches('.file > progress')
  || name === 'style' && element.matches('.width')
  || name === 'tabindex' && element.matches('.cell, [role=tab]')

/** The inputs whose text the app may change while the user types. The browser may show a number or a date in other
 *  digits. */
const texts = 'textarea, input:is([type=text], [type=search], [type=url], [type=email])'

function value(from, to, before) {
  if (from.type === 'file') return
  if (from.type === 'checkbox' || from.type === 'radio') { from.checked = to.checked; return }
  if (from.nodeName === 'SELECT') {
    from.replaceChildren(...to.childNodes)
    return
  }
  if (from.nodeName === 'TEXTAREA') from.defaultValue = to.defaultValue
  const text = to.getAttribute('value') ?? (from.type === 'password' ? from.value : to.value)
  // Text that has not arrived yet wins.
  if (typed.has(from.name)) {
    const isEcho = answering === from.name || [before, from.value, flying?.text].includes(text)
    if (!isEcho && revision >= 0 && !kept.has(from.name)) {
      kept.add(from.name)
      const label = from.labels[0]?.querySelector('.label')?.textContent
      notice(phrases.textKept.replace('{label}', () => label))
    }
  } else if (from !== composing && (answering !== from.name || from.matches(texts))) fill(from, text)
}

/** Sets the text of an input, and keeps the caret in its place. */
function fill(input, text) {
  const { value, selectionStart, selectionEnd } = input
  if (value === text) return
  unstored.delete(input.name)
  input.value = text
  if (input === document.activeElement && selectionStart < value.length) {
    input.setSelectionRange(selectionStart, Math.min(selectionEnd, text.length))
  }
}

// --- User input ------------------------------------------------------------------------------------------------------

form.addEventListener('submit', event => event.preventDefault())

document.addEventListener('click', event => {
  const button = event.target.closest('button[name=do], a[data-do]')
  // With one of these keys, the browser opens a link elsewhere.
  if (button?.href && (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) return
  const menu = event.target.closest('details.menu')
  for (const open of document.querySelectorAll('details.menu[open]')) {
    if (open === menu && !button) continue
    // An item of a closed menu cannot have the focus.
    if (open.contains(document.activeElement)) open.firstElementChild.focus()
    open.open = false
  }
  if (!button) return
  event.preventDefault()
  if (button.disabled || button.getAttribute('aria-disabled') === 'true') return
  // The rows at that end of the list come with the answer.
  const end = button.dataset.jump
  if (end) jump = { words: button.value, list: button.closest('.list, .table').id, end }
  send(button.dataset.do ?? button.value)
})
document.addEventListener('click', async event => {
  const code = event.target.closest('.copy')?.parentElement.querySelector('.code')
  if (!code) return
  try {
    await navigator.clipboard.writeText(code.textContent)
    notice(phrases.copied, 'information')
  } catch {
    // Only a page from this machine, or one over TLS, may write to the clipboard.
    getSelection().selectAllChildren(code)
    notice(phrases.selected, 'information')
  }
})
let jump

/** Goes to the first or last row of a list, and gives it the focus. */
function land({ list, end }) {
  const rows = [...id(list)?.querySelectorAll('.items > .row, tbody > tr') ?? []]
  const row = end === 'last' ? rows.pop() : rows[0]
  row?.scrollIntoView({ block: 'center' })
  const stop = row?.querySelector('button, a, input, summary') ?? id(list)?.querySelector('.scroller')
  stop?.focus({ preventScroll: true })
}

document.addEventListener('input', event => {
  const { name, type, value, nodeName } = event.target
  if (!name?.startsWith('edit ') || nodeName === 'SELECT' || event.isComposing) return
  typed.set(name, value)
  suspected.delete(name)
  asked.delete(name)
  send(name, value, name)
})
document.addEventListener('compositionstart', event => { composing = event.target })
document.addEventListener('focusout', event => kept.delete(event.target.name))
document.addEventListener('compositionend', event => {
  composing = null
  event.target.dispatchEvent(new InputEvent('input', { bubbles: true }))
})

document.addEventListener('change', event => {
  const { name, value, checked } = event.target
  if (name?.startsWith('toggle ')) send(`${name} ${checked ? 'on' : 'off'}`)
  if (name?.startsWith('choose ')) send(`${name} ${encodeURIComponent(value)}`)
  if (name?.startsWith('select ')) {
    const keys = [...document.getElementsByName(name)].filter(input => input.checked).map(input => encodeURIComponent(input.value))
    send([name, ...keys].join(' '))
  }
})

document.addEventListener('keydown', event => {
  const { target, key } = event
  if (key === 'Enter' && target.matches('input:not([type=checkbox], [type=radio], [type=file])') && !event.isComposing) {
    event.preventDefault()
    const enter = target.dataset.enter ?? target.closest('[data-enter]')?.dataset.enter
    if (enter) send(enter)
    return
  }
  if (key === 'Escape') {
    const menu = target.closest?.('details.menu[open]')
    if (menu) { menu.open = false; menu.firstElementChild.focus(); event.preventDefault() }
    return
  }
  if (key.startsWith('Arrow') && target.matches('.cell, [role=tab]')) return rove(event)
  // Shortcuts of features; in a field, only those with Control or Alt.
  const plain = !event.ctrlKey && !event.altKey && !event.metaKey
  if (plain && target.matches('input, textarea, select')) return
  const keys = [event.ctrlKey && 'Control', event.altKey && 'Alt', event.shiftKey && key.length > 1 && 'Shift',
    key.length === 1 ? key.toUpperCase() : key].filter(Boolean).join('+')
  for (const button of front().querySelectorAll('[aria-keyshortcuts]')) {
    if (button.getAttribute('aria-keyshortcuts') !== keys || button.disabled) continue
    event.preventDefault()
    return button.click()
  }
})

// --- Files -----------------------------------------------------------------------------------------------------------

document.addEventListener('change', ({ target }) => {
  const file = target.dataset.file && target.files[0], limit = target.dataset.limit
  if (!file) return
  const words = target.dataset.file, name = target.id
  // The same file can be chosen again.
  target.value = ''
  if (limit && file.size > +limit) return notice(phrases.fileTooLarge)
  uploads++
  upload(words, name, file)
})

/** Sends a file in a request of its own, after everything that the user did before. */
function upload(words, name, file) {
  if (trouble === phrases.sessionGone) { uploads--; return notice(phrases.fileNotSent) }
  if (flying || queue.length || socket?.readyState !== 1) return setTimeout(upload, 50, words, name, file)
  const bar = () => id(name.replace(/c$/, 'u'))
  const request = new XMLHttpRequest()
  const query = new URLSearchParams({ do: words, name: file.name, type: file.type })
  request.open('POST', `${base}_upload?${query}`)
  request.setRequestHeader('X-Gangway-Token', form.elements.token.value)
  request.upload.onprogress = ({ loaded, total }) => { if (bar()) { bar().hidden = false; bar().value = 100 * loaded / total } }
  request.onload = () => { if (request.status >= 400) notice(request.responseText) }
  request.onerror = () => notice(phrases.fileNotSent)
  request.onloadend = () => { uploads--; if (bar()) bar().hidden = true }
  request.send(file)
}

/** The front layer: the last open dialog, or the screen. */
const front = () => [...document.querySelectorAll('dialog[open]')].pop() ?? id('main')

function rove(event) {
  const { target, key } = event
  const isTab = target.matches('[role=tab]')
  const rows = isTab ? [[...target.parentElement.children]]
    : [...target.closest('[role=grid]').children].map(row => [...row.querySelectorAll('.cell')])
  const y = rows.findIndex(row => row.includes(target)), x = rows[y].indexOf(target)
  const way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[key]
  if (getComputedStyle(target).direction === 'rtl') way[1] = -way[1]
  const next = rows[y + way[0]]?.[x + way[1]]
  if (!next) return
  event.preventDefault()
  for (const cell of rows.flat()) cell.tabIndex = -1
  next.tabIndex = 0
  next.focus()
  if (isTab) next.click()
}

// The session stores focus and scroll position, so that both are restored after a crash.
let told, telling
document.addEventListener('focusin', ({ target }) => {
  const [, node, element] = /^e(\d+)-(.*)\.c$/.exec(target.id) ?? []
  if (!node || told === target.id) return
  told = target.id
  clearTimeout(telling)
  telling = setTimeout(() => send(`focus ${node} ${element}`, undefined, `focus ${node}`), 200)
})
let scrolling
addEventListener('scroll', () => {
  clearTimeout(scrolling)
  scrolling = setTimeout(() => {
    const node = document.querySelector('main .screen:last-of-type')?.id.slice(1)
    if (!node || held.has(node) || document.querySelector('dialog[open]')) return
    send(`scroll ${node} ${Math.round(scrollY / 24)}`, undefined, 'scroll')
  }, 400)
}, { passive: true })

// --- Focus, dialogs and history --------------------------------------------------------------------------------------

const focused = new Map(), scrolled = new Map()

function arrive(node, isElsewhere) {
  const layer = front(), remembered = id(focused.get(node)) ?? id((layer.dataset.focus ?? '') + '.c')
  const target = layer.contains(remembered) ? remembered
    : layer.matches('dialog')
    ? layer.querySelector('.screen :is(input:not([type=hidden]), textarea, select, button, a[data-do]), .items button')
      ?? layer.querySelector('[tabindex="-1"]')
    : layer.querySelector('h1')
  if (isElsewhere || document.activeElement === document.body) target?.focus({ preventScroll: true })
  const y = scrolled.get(node) ?? (isElsewhere ? 0 : (layer.dataset.scroll ?? 0) * 24)
  if (!layer.matches('dialog') && (isElsewhere || y)) scrollTo(0, y)
  hold(node, y)
}

/** The scroll positions of screens that load. Such a screen is shorter for a moment. */
const held = new Map()

/** Keeps the scroll position of a screen while it loads, and takes it back once the rest of the content is there. */
function hold(node, y) {
  const layer = front()
  if (layer.matches('dialog')) return
  if (layer.querySelector('progress:not([value])')) {
    if (scrollY < y - 1 && !held.has(node)) held.set(node, y)
  } else if (held.has(node)) {
    scrollTo(0, held.get(node))
    held.delete(node)
  }
}
for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
  addEventListener(name, () => held.clear(), { capture: true, passive: true })
}

/** The elements of each layer that can have focus, from the last message that found the focus there. */
const stops = new Map()

/** Notes the focusable elements of the front layer, for refocus(). Returns whether one of them has the focus. */
function noteStops() {
  const layer = front(), active = document.activeElement
  if (active === document.body || !layer.contains(active)) return false
  const all = [...layer.querySelectorAll('button, input:not([type=hidden]), select, textarea, summary, a, [tabindex="0"]')]
  const list = active.closest('.row, tr')?.parentElement, index = all.indexOf(active)
  const order = [...all.slice(Math.max(index, 0)), ...all.slice(0, Math.max(index, 0)).reverse()]
  // Beside a row that goes are the rows of its list, which come first.
  stops.set(layer.id, list ? [...order.filter(stop => list.contains(stop)), ...order] : order)
  return true
}

/** Gives the focus to where it was, to the element after that, or to the one before. */
function refocus() {
  const layer = front()
  for (const known of stops.get(layer.id) ?? []) {
    const stop = known.isConnected ? known : id(known.id)
    // An item of a closed menu is not visible, but the menu is.
    const menu = stop?.matches('summary') ? null : stop?.closest('details.menu:not([open])')
    const target = menu ? menu.firstElementChild : stop
    if (!target || !layer.contains(target)) continue
    target.focus({ preventScroll: true })
    if (document.activeElement === target) return
  }
  layer.querySelector('h1, h2')?.focus({ preventScroll: true })
}

function dialogs() {
  if (!messages.isConnected) form.append(messages)
  for (const dialog of document.querySelectorAll('dialog[data-modal]')) {
    if (dialog.matches(':modal')) continue
    dialog.removeAttribute('open')
    dialog.showModal()
    // The safe answer gets focus.
    if (dialog.matches('.alert')) dialog.querySelector('.cancel')?.focus()
    dialog.oncancel = event => {
      event.preventDefault()
      if (dialog.dataset.modal) send(dialog.dataset.modal)
    }
    dialog.onclick = event => { if (event.target === dialog && dialog.dataset.modal === 'dismiss') send('dismiss') }
  }
  document.body.classList.toggle('covered', !!document.querySelector('dialog[open]'))
}

// The browser's back button acts as the app's. The address shows the current screen, even if a guard refused to leave.
let place = history.state?.place ?? 0, trail = { [place]: location.pathname + location.search }, isStepping = false
history.replaceState({ place }, '')
function address({ url, back }, isElsewhere) {
  if (isStepping) return
  if (url === location.pathname + location.search) { if (!isElsewhere || isFirst) return }
  else if (isFirst) { history.replaceState({ place }, '', url); trail[place] = url; return }
  if (place > 0 && trail[place - 1] === url) { isStepping = true; return history.back() }
  if (url === trail[place]) return history.replaceState({ place }, '', url)
  history.pushState({ place: ++place }, '', url)
  trail[place] = url
}
addEventListener('popstate', event => {
  const to = event.state?.place ?? 0
  if (isStepping) { isStepping = false; place = to; return }
  const isBack = to === place - 1
  place = to
  const here = location.pathname + location.search
  trail[place] ??= here
  if (isBack && id('back')) return send('back')
  if (here.startsWith(base) && here.length > base.length) send('open ' + encodeURIComponent(form.dataset.scheme + '://' + here.slice(base.length)))
  else if (isBack) send('back')
})

/** In columns, marks the rows whose screens are open beside them. */
function markOpen() {
  const crumbs = [...document.querySelectorAll('#path a')].map(crumb => crumb.getAttribute('href'))
  const here = location.pathname + location.search
  const open = new Set([here.startsWith(base) ? '/' + here.slice(base.length) : here, ...crumbs])
  for (const row of document.querySelectorAll('#main.columns a.row-main')) {
    if (open.has(row.getAttribute('href'))) row.setAttribute('aria-current', 'true')
    else row.removeAttribute('aria-current')
  }
}
function animate({ operation, name, fallback, isBackward, milliseconds }) {
  const kind = ['slide', 'fade', 'push-up', 'none'].includes(name) ? name : fallback ?? { present: 'push-up', dismiss: 'push-up', select: 'fade', replace: 'fade' }[operation] ?? 'slide'
  root.dataset.transition = kind + (isBackward ? ' backward' : '')
  root.style.setProperty('--time', Math.min(milliseconds ?? 220, 400) + 'ms')
  setTimeout(() => delete root.dataset.transition, Math.min(milliseconds ?? 220, 400) + 50)
}

// --- Messages, long lists --------------------------------------------------------------------------------------------

function show(html) {
  const item = parse(html)
  const open = [...document.querySelectorAll('dialog[open]')].pop()
  // A modal dialog covers everything outside of it, so messages move into the topmost dialog.
  ;(open ?? form).append(messages)
  for (const other of messages.children) if (other.textContent === item.textContent) other.remove()
  if ('endsUndo' in item.dataset) {
    for (const undo of messages.querySelectorAll('[value^=undoNotice]')) undo.remove()
  }
  messages.append(item)
  // The page whose user pressed something last saves the file that came of it. On other pages, the message stays.
  const file = item.querySelector('a[download]')
  if (file?.matches('[data-save]')) file.click()
  const stays = other => other.querySelector('a[download]:not([data-save])')
  while (messages.children.length > 4) {
    const first = [...messages.children].find(other => !stays(other))
    if (!first || first === item) break
    first.remove()
  }
  while (messages.children.length > 8) messages.firstElementChild.remove()
  if (stays(item)) file.addEventListener('click', () => setTimeout(() => item.remove(), 2000))
  setTimeout(() => item.remove(), stays(item) ? 600000 : item.matches('.failure') ? 15000 : 7000)
}
function notice(text, kind = 'refusal') {
  const item = document.createElement('div')
  item.className = `notice ${kind}`
  item.textContent = text
  show(item.outerHTML)
}

/**
 * Whether another page of the session has led a list elsewhere: the list has other rows, but as many. This page then
 * asks for no rows until its user acts: otherwise the pages would ask in turn, without end.
 */
let isLed = false
const values = selector => [...document.querySelectorAll(selector)].map(button => button.value).join()
const above = () => values('.above [data-reach]'), ends = () => values('[data-jump=last]')
for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
  addEventListener(name, () => { if (isLed) { isLed = false; observe() } }, { capture: true, passive: true })
}

/** How far outside of the window a button is that asks for more rows, in pixels. */
const margin = 400
const near = new IntersectionObserver(entries => {
  // A request for the rows in sight would lead back from the end that the user jumps to.
  if (isLed || jump && [flying, ...queue].some(item => item?.words === jump.words)) return
  for (const { target, isIntersecting } of entries) {
    // The browser reports later what it saw; a message may have changed the page meanwhile.
    const { top, bottom } = target.getBoundingClientRect()
    if (!isIntersecting || !target.isConnected || bottom < -margin || top > innerHeight + margin) continue
    near.unobserve(target)
    send(target.value, undefined, 'reach')
  }
}, { rootMargin: `${margin}px` })
const observe = () => { for (const button of document.querySelectorAll('[data-reach]')) { near.unobserve(button); near.observe(button) } }

// --- Start -----------------------------------------------------------------------------------------------------------

// A duplicated tab has the same address, so it gets a session of its own: a copy of this one.
const channel = new BroadcastChannel('gangway ' + base), own = Math.random()
channel.onmessage = ({ data }) => {
  if (data.ask && data.ask !== own) channel.postMessage({ here: own, to: data.ask })
  if (data.to === own) { channel.close(); location.replace(base + '_copy') }
}
if (!('shared' in document.body.dataset)) channel.postMessage({ ask: own })
addEventListener('pagehide', () => channel.close())
addEventListener('pageshow', event => { if (event.persisted) location.reload() })

/** Sends what the user, or a password manager, entered before this module ran. */
function catchUp() {
  for (const input of form.querySelectorAll('input[name], textarea[name], select[name]')) {
    const { nodeName, type } = input
    const options = [...input.options ?? []]
    const standard = nodeName === 'SELECT' && (options.find(option => option.defaultSelected) ?? options[0])
    if (standard === false && type !== 'checkbox' && type !== 'radio') {
      // Browsers tidy values, such as the spaces around an address. A fresh input tidies the first value likewise.
      const fresh = document.createElement(nodeName)
      if (nodeName === 'INPUT') fresh.type = type
      fresh.defaultValue = input.defaultValue
      if (fresh.value !== input.value) input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    } else if (standard ? !standard.selected : input.checked !== input.defaultChecked) {
      input.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
}

link(document)
dialogs()
// Before the page asks for the rows in sight: those at the top may be far from the stored position.
if (!scrollY && !front().matches('dialog')) scrollTo(0, (front().dataset.scroll ?? 0) * 24)
observe()
newest()
catchUp()
connect()
