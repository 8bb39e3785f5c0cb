export type {
  MongooseConnectionLike,
  MongooseServiceLike,
  MonqueDatabase,
  MonqueTsedConfig,
} from './config/monque-tsed-config.js';
export { resolveDatabase } from './config/resolve-database.js';
export { validateDatabaseConfig } from './config/validate-database-config.js';
export { MONQUE, MONQUE_JOB, MONQUE_JOB_CONTEXT, ProviderTypes } from './constants.js';
export { Cron } from './decorators/cron.js';
export type { HandlerDecorator } from './decorators/handler-decorator.js';
export { Job, type JobDecoratorOptions } from './decorators/job.js';
export { Worker } from './decorators/worker.js';
export {
  JobController,
  WorkerController,
  type WorkerControllerOptions,
} from './decorators/worker-controller.js';
export { buildJobName } from './metadata/build-job-name.js';
export { collectJobMetadata, type JobMetadata } from './metadata/collect-job-metadata.js';
export { getJobToken } from './metadata/get-job-token.js';
export type {
  CronDecoratorOptions,
  CronMetadata,
  WorkerDecoratorOptions,
  WorkerMetadata,
  WorkerMethods,
  WorkerStore,
} from './metadata/worker-store.js';
export { MonqueModule } from './monque-module.js';
export { MonqueService } from './service/monque-service.js';
export { MonqueServices } from './service/monque-services.js';
