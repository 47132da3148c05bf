import { Observable } from '@lectern/common'

/** The tabs of the panel: see `panel/panel-tabs.tsx`. */
export type Panel = 'people' | 'chat' | 'files' | 'transcript'

/** The open tab of the panel; null: it is closed. */
export class Panels extends Observable<Panel | null> {
  constructor() {
    super(null)
  }

  readonly toggle = (panel: Panel): void => this.set(this.get() === panel ? null : panel)

  readonly show = (panel: Panel): void => this.set(panel)

  readonly close = (): void => this.set(null)
}
