import { Observable } from '@lectern/common'

/** Dialogs that buttons, keys and items of popups open. */
export type RoomDialog = 'end' | 'options' | 'reactions' | 'shortcuts' | 'statistics'

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
