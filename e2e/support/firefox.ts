import { firefox } from 'playwright-core'
import { type OpenTab, useLaunched } from './browser.ts'
import { useDesktop } from './desktop.ts'

type Preferences = Record<string, string | number | boolean>

/**
 * By default Firefox sends no media to loopback addresses, and none before a page has camera or microphone permission.
 * firefox-on-one-machine.spec.ts tests the default preferences.
 */
const ON_LOOPBACK = {
  'media.peerconnection.ice.loopback': true,
  'permissions.default.camera': 1,
  'permissions.default.microphone': 1,
}

/** A fake camera and microphone, with all permissions granted, including screen sharing. */
const FIREFOX_DEVICES = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true, // also answers the screen-sharing prompt
}

/** Opens pages in one Firefox for the tests of a file, each in its own container, with otherwise default preferences. */
export function useFirefox(preferences: Preferences = FIREFOX_DEVICES, desktop = useDesktop()): OpenTab {
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
