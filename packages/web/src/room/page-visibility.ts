import { type Lifetime, Observable } from '@lectern/common'

/** The part of a document that this needs. */
export type VisibilityPage = Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>

/** Whether the tab is visible: in a hidden one nobody watches the videos. */
export class PageVisibility extends Observable<boolean> {
  constructor(page: VisibilityPage, lifetime: Lifetime) {
    super(page.visibilityState === 'visible')
    const update = () => this.set(page.visibilityState === 'visible')
    page.addEventListener('visibilitychange', update)
    lifetime.defer(() => page.removeEventListener('visibilitychange', update))
  }
}
