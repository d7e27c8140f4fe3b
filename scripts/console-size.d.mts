export declare const LIMIT_KB: number;
export declare function screenSizes(folder?: string): { readonly screen: string; readonly kb: number }[];
