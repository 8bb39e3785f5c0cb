-- As EF Core's Pomelo makes JobSharp's model, with a collation that ignores case
CREATE TABLE `Jobs` (
    `Id` varchar(36) NOT NULL,
    `TypeName` varchar(500) NOT NULL,
    `Arguments` longtext NULL,
    `State` int NOT NULL,
    `CreatedAt` datetime(6) NOT NULL,
    `ScheduledAt` datetime(6) NULL,
    `ExecutedAt` datetime(6) NULL,
    `RetryCount` int NOT NULL,
    `MaxRetryCount` int NOT NULL,
    `ErrorMessage` longtext NULL,
    `Result` longtext NULL,
    `BatchId` varchar(36) NULL,
    `ParentJobId` varchar(36) NULL,
    CONSTRAINT `PK_Jobs` PRIMARY KEY (`Id`),
    CONSTRAINT `FK_Jobs_Jobs_ParentJobId` FOREIGN KEY (`ParentJobId`) REFERENCES `Jobs` (`Id`) ON DELETE CASCADE
) CHARACTER SET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE INDEX `IX_Jobs_BatchId` ON `Jobs` (`BatchId`);
CREATE INDEX `IX_Jobs_ParentJobId` ON `Jobs` (`ParentJobId`);
CREATE INDEX `IX_Jobs_ScheduledAt` ON `Jobs` (`ScheduledAt`);
CREATE INDEX `IX_Jobs_State` ON `Jobs` (`State`);
CREATE INDEX `IX_Jobs_State_ScheduledAt` ON `Jobs` (`State`, `ScheduledAt`);

CREATE TABLE `RecurringJobs` (
    `Id` varchar(200) NOT NULL,
    `CronExpression` varchar(100) NOT NULL,
    `JobTypeName` varchar(500) NOT NULL,
    `JobArguments` longtext NULL,
    `MaxRetryCount` int NOT NULL,
    `NextExecution` datetime(6) NULL,
    `LastExecution` datetime(6) NULL,
    `IsEnabled` tinyint(1) NOT NULL,
    `CreatedAt` datetime(6) NOT NULL,
    CONSTRAINT `PK_RecurringJobs` PRIMARY KEY (`Id`)
) CHARACTER SET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE INDEX `IX_RecurringJobs_IsEnabled` ON `RecurringJobs` (`IsEnabled`);
CREATE INDEX `IX_RecurringJobs_NextExecution` ON `RecurringJobs` (`NextExecution`);
