import { Observable } from '@lectern/common'

export type Panel = 'chat' | 'people' | 'transcript'

/** The open panel; null: none. */
export class Panels extends Observable<Panel | null> {
  constructor() {
    super(null)
  }

  readonly toggle = (panel: Panel): void => this.set(this.get() === panel ? null : panel)

  readonly close = (): void => this.set(null)
}
