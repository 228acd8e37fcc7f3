// A classic script, since modules run later: light or dark before the first paint, and a head start
// for the modules of the page at this address.
(function () {
  var me = /** @type {any} */ (document.currentScript)
  var base = me.src.replace(/^\w+:\/\/[^/]+|web\/preload\.js$/g, '') // as in place.js
  var kept = base === '/' ? 'battlebox.theme' : 'battlebox:' + base + '.theme'
  var theme = ''
  try { theme = localStorage.getItem(kept) || '' } catch (denied) { /* then the system's */ }
  if (theme.charAt(0) === '"') theme = theme.slice(1, -1)
  if (theme !== 'light' && theme !== 'dark') {
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  }
  document.documentElement.dataset.theme = theme

  var path = location.pathname
  if (path.indexOf(base) === 0) path = path.slice(base.length - 1)
  var first = {
    '': ['setup/home', 'api', 'setup/my_matches', 'setup/setup', 'seats'],
    match: [
      'match/page', 'match/choosing', 'match/match', 'match/connection', 'match/zones', 'match/picking',
      'match/announcements', 'match/banners', 'match/prompt'
    ]
  }[path.split('/')[1]] || []
  first.forEach(function (name) {
    var link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = base + 'web/' + name + '.js'
    document.head.appendChild(link)
  })
})()
