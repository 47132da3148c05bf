/** Builds PDF documents, also such as no program would write. */
export interface PageOptions {
    /** In points. */
    width?: number;
    height?: number;
    /** The stream of what is drawn. */
    content?: string;
    /** More entries of the page. */
    more?: string;
}
interface DocumentOptions {
    /** More entries of the catalogue. */
    catalogue?: string;
    /** More objects, from the number 100 on. */
    objects?: readonly string[];
    /** More entries of the trailer. */
    trailer?: string;
}
export declare const textAt: (text: string, x?: number, y?: number) => string;
/** A document with these pages. */
export declare function pdf(pages: readonly PageOptions[], options?: DocumentOptions): Buffer;
export declare const stream: (entries: string, content: string) => string;
export {};
