import { firefox } from 'playwright-core'
import { type Open, useLaunched } from './browser.ts'
import { useDesktop } from './desktop.ts'

type Preferences = Record<string, string | number | boolean>

/**
 * The server of these stories is on loopback, to which Firefox sends nothing by itself, and nothing at all while a page
 * has no permission for camera or microphone. What users have instead: firefox-on-one-machine.spec.ts.
 */
const ON_LOOPBACK = {
  'media.peerconnection.ice.loopback': true,
  'permissions.default.camera': 1,
  'permissions.default.microphone': 1,
}

/** A camera and a microphone that are none, and a visitor who allows everything at once, the whole screen, too. */
const FIREFOX_DEVICES = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true, // answers the question which screen to share
}

/** Opens pages in one Firefox for the tests of the file, each in a container of its own. Everything else is default. */
export function useFirefox(preferences: Preferences = FIREFOX_DEVICES, desktop = useDesktop()): Open {
  return useLaunched(() =>
    firefox.launch({
      channel: 'moz-firefox', // the released browser, driven by WebDriver BiDi
      executablePath: '/usr/bin/firefox-esr',
      headless: false,
      env: { ...process.env, ...desktop() },
      firefoxUserPrefs: { ...ON_LOOPBACK, ...preferences },
    }),
  )
}
