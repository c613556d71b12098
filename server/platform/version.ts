/** Set by the bundler (scripts/lib/build/build.mjs). */
declare const UPWATCH_VERSION: string | undefined;

/** The product's version with a fingerprint of its sources (SemVer 2.0.0, section 10); "development" without a build. */
export const version = typeof UPWATCH_VERSION === 'string' ? UPWATCH_VERSION : 'development';
