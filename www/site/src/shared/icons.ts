// Icons as one path each, drawn with a stroke on a field of 24.
export const icons = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  plus: 'M12 5v14M5 12h14',
  pencil: 'M4 20h4L18.6 9.4a2.1 2.1 0 0 0 0-3l-1-1a2.1 2.1 0 0 0-3 0L4 16zM13 7l4 4',
  send: 'M12 19V5.5M6 11l6-6 6 6',
  up: 'M6 14.5l6-6 6 6',
  down: 'M6 9.5l6 6 6-6',
  right: 'M9.5 6l6 6-6 6',
  close: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  now: 'M12 20V9.5M6.5 14.5l5.5-5.5 5.5 5.5M5 4.5h14',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  alert: 'M12 8.5v5M12 16.8v.1M12 3.5 2.8 20h18.4z',
  stopped: 'M7 7h10v10H7z',
  light: 'M12 3v2M12 19v2M5.6 5.6 4.2 4.2M19.8 19.8l-1.4-1.4M3 12h2M19 12h2M4.2 19.8l1.4-1.4M18.4 5.6l1.4-1.4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  dark: 'M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5z',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  storm: 'M7.5 15a4 4 0 0 1 .3-8 5.5 5.5 0 0 1 10.3 1.6A3.3 3.3 0 0 1 17.5 15M13 11l-3 4.5h4L11.5 20',
  attach: 'M7 3.5h7l4 4v13H7zM14 3.5v4h4',
} as const

/** The name of an icon. */
export type IconName = keyof typeof icons
