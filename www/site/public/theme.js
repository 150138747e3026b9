// Before the first paint: the theme that was chosen.
try {
  const theme = localStorage.getItem('turnseal-site:theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}
