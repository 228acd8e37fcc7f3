// A classic script, since modules run later: light or dark before the first paint, and a head start
// for the modules of the page at this address.
(function () {
  var theme = ''
  try { theme = localStorage.getItem('battlebox.theme') || '' } catch (denied) { /* then the system's */ }
  if (theme.charAt(0) === '"') theme = theme.slice(1, -1)
  if (theme !== 'light' && theme !== 'dark') {
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  }
  document.documentElement.dataset.theme = theme

  var first = {
    '': ['home', 'api', 'mine', 'options', 'setup', 'dialog', 'tab'],
    match: ['table', 'choosing', 'match', 'live', 'zones', 'picking', 'news', 'menu', 'notices', 'prompt']
  }[location.pathname.split('/')[1]] || []
  first.forEach(function (name) {
    var link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = '/web/' + name + '.js'
    document.head.appendChild(link)
  })
})()
