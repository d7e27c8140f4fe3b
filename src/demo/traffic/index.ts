export { KINDS as TRAFFIC_KINDS, type TrafficAction, type TrafficKind, TrafficPlan } from './plan.js';
export { runTraffic, type TrafficCounts, type TrafficOptions, type TrafficReport } from './traffic.js';
