declare module 'openapi-explorer';
