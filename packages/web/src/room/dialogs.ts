import { Observable } from '@lectern/common'

/** The tabs of the settings. */
export const SETTINGS = ['audio', 'video', 'notices', 'appearance', 'keys', 'statistics'] as const
export type SettingsTab = (typeof SETTINGS)[number]

/** Dialogs that buttons, keys and items of popups open. A tab: the settings at this tab. */
export type RoomDialog = SettingsTab | 'class' | 'end' | 'layout' | 'reactions' | 'stopRecording'

/** The open dialog; null: none. */
export class Dialogs extends Observable<RoomDialog | null> {
  constructor() {
    super(null)
  }

  readonly show = (dialog: RoomDialog): void => this.set(dialog)

  /** One that has been replaced meanwhile changes nothing. */
  readonly close = (dialog: RoomDialog): void => {
    if (this.get() === dialog) this.set(null)
  }
}
