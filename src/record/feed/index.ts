export { Feed, type FeedEntry, type FeedPage, type FeedRequest, numberFeed, readFeed } from './feed.js';
export { feedModule } from './module.js';
export { FEED_TYPES, matchesType, requireTypes } from './type.js';
